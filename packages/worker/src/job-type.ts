// job-type.ts: defines a job type once, in TypeScript: both the document that `pulseward apply` takes, and
// the source of the types that a handler sees.
import type { Schema } from './schema-type.ts'

export type JobKind = 'check' | 'recovery' | 'notification'

/** The version of the worker protocol that this library speaks. */
const protocolVersion = '1'

interface JobTypeParts {
  readonly id: string
  readonly version: string
  readonly kind: JobKind
  readonly parameterSchema: Schema
  readonly resultSchema: Schema
  /** Such as `30s`; at most 24h. */
  readonly timeout?: string
  readonly rejectionCodes?: readonly string[]
}

/** The resource in the form that the service takes. */
export function jobType<const Parts extends JobTypeParts>(parts: Parts) {
  const { id, ...spec } = parts
  return {
    apiVersion: 'pulseward/v2',
    kind: 'JobType',
    metadata: { id: id as Parts['id'] },
    spec: { handler: id as Parts['id'], protocolVersion, ...(spec as Omit<Parts, 'id'>) },
  } as const
}
