// managing/sent-resource.ts: a resource as a client sent it: what is kept of it, what a merge patch of it is laid over, and
// what is wrong with it.
import type { v2 } from '@pulseward/contract'
import { canonicalJson } from '../resources/canonical-json.ts'
import { isJsonObject, type Json } from '../resources/json.ts'
import type { FieldError } from './field-error.ts'
import type { Content, ManagedKind, ManagedResource } from './managed-resource.ts'
import type { Registry } from './registry.ts'
import type { ResourceValidator } from './validate-resource.ts'

/** A resource as it was sent; its shape is right. */
export interface Sent {
  readonly metadata: Pick<v2.Metadata, 'id' | 'name' | 'labels'>
  readonly spec: Json
}

export function errorsOf(
  validator: ResourceValidator,
  registry: Registry,
  kind: ManagedKind,
  sent: Sent,
  isNew: boolean,
): FieldError[] {
  // The schema of the contract has been checked, so each kind has the spec that it says.
  const resource = sent as never
  switch (kind) {
    case 'Monitor':
      return validator.monitor(resource, registry)
    case 'NotificationEndpoint':
      return validator.endpoint(resource, registry)
    case 'NotificationGroup':
      return validator.group(resource, registry)
    case 'Credential':
      return validator.credential(resource, isNew)
    case 'JobType':
      return validator.jobType(resource)
  }
}

/**
 * Without the value of a credential, which is kept apart. With its keys in the order that the store has them in: the next
 * process must not take the same configuration for a changed one.
 */
export function contentOf(kind: ManagedKind, { metadata, spec }: Sent): Content {
  const { name, labels } = metadata
  const kept = kind === 'Credential' && isJsonObject(spec) ? withoutValue(spec) : spec
  return { name: name ?? null, labels: labels ?? {}, spec: JSON.parse(canonicalJson(kept)) }
}

function withoutValue({ value: _, ...rest }: { readonly [key: string]: Json }): Json {
  return rest
}

/** The value of a credential that came with it; null when there is none. */
export function secretIn(kind: ManagedKind, { spec }: Sent): string | null {
  const value = kind === 'Credential' && isJsonObject(spec) ? spec['value'] : undefined
  return typeof value === 'string' ? value : null
}

/** What a merge patch is laid over: all that a client can write. */
export function shown({ kind, id, name, labels, spec }: ManagedResource): Json {
  const metadata = {
    id,
    ...(name === null ? {} : { name }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  }
  return { apiVersion: 'pulseward/v2', kind, metadata, spec: spec as Json }
}
