// client/apply/differences.ts: the differences between a resource in a file and the one the service has, field by field.
// Pure. Compares what people write (name, labels, spec); a secret cannot be compared and is never shown.
import type { v2 } from '@pulseward/contract'
import { fieldLines } from '../field-lines.ts'

export interface Difference {
  readonly field: string
  /** Null if the field is missing. */
  readonly before: string | null
  readonly after: string | null
}

export function differences(current: v2.Resource | null, wanted: v2.Resource): Difference[] {
  const before = fieldsOf(current)
  const after = fieldsOf(wanted)
  const fields = [...new Set([...before.keys(), ...after.keys()])].sort()
  return fields
    .map((field) => ({ field, before: before.get(field) ?? null, after: after.get(field) ?? null }))
    .filter((one) => one.before !== one.after)
}

function fieldsOf(resource: v2.Resource | null): ReadonlyMap<string, string> {
  if (resource === null) return new Map()
  const { name, labels } = resource.metadata
  const lines = fieldLines({ metadata: { name, labels }, spec: withoutSecret(resource) })
  return new Map(
    lines.filter(([, value]) => value !== undefined).map(([field, value]) => [field, String(value)]),
  )
}

function withoutSecret({ kind, spec }: v2.Resource): unknown {
  if (kind !== 'Credential') return spec
  const { value, ...rest } = spec as { value?: string }
  return rest
}
