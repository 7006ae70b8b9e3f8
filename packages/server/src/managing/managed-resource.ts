// managing/managed-resource.ts: a resource that was written through v2, as the service holds it. What people wrote is
// kept as they wrote it, without defaults. Identity and versions are never interchangeable: uid is one incarnation,
// change is one edit, generation is one spec.
import type { v2 } from '@pulseward/contract'
import { canonicalJson } from '../resources/canonical-json.ts'
import { isSameJson, type Json } from '../resources/json.ts'
import type { StoredResource } from '../store/resource.ts'

export type ManagedKind = 'Monitor' | 'NotificationEndpoint' | 'NotificationGroup' | 'Credential'

/** What people write. */
export interface Content<Spec = unknown> {
  readonly name: string | null
  readonly labels: Readonly<Record<string, string>>
  readonly spec: Spec
}

export interface ManagedResource<Spec = unknown> extends Content<Spec> {
  readonly kind: ManagedKind
  readonly id: string
  readonly uid: string
  /** The number of the change that made this version. */
  readonly change: number
  readonly generation: number
  readonly createdAt: number
  readonly updatedAt: number
  /** Of a credential: its value, encrypted, and the number of the change that set it. */
  readonly sealed: { readonly value: Uint8Array; readonly change: number } | null
}

export type SpecOf = {
  readonly Monitor: v2.Monitor['spec']
  readonly NotificationEndpoint: v2.NotificationEndpoint['spec']
  readonly NotificationGroup: v2.NotificationGroup['spec']
  readonly Credential: Pick<v2.Credential['spec'], 'description'>
}

/** As it stands in the store; a credential's spec also says which change set its value. */
export function asStored(resource: ManagedResource): StoredResource {
  const { sealed, spec, ...rest } = resource
  const kept = sealed === null ? spec : { ...(spec as object), valueChange: sealed.change }
  return { ...rest, spec: canonicalJson(kept), sealed: sealed?.value ?? null }
}

export function fromStored(stored: StoredResource): ManagedResource {
  const { sealed, spec, kind, ...rest } = stored
  const written = JSON.parse(spec)
  if (sealed === null) return { ...rest, kind: kind as ManagedKind, spec: written, sealed: null }
  const { valueChange, ...own } = written
  return { ...rest, kind: kind as ManagedKind, spec: own, sealed: { value: sealed, change: valueChange } }
}

/** As v2 writes it. */
export function asMonitor({
  id,
  name,
  labels,
  spec,
}: ManagedResource): Pick<v2.Monitor, 'metadata' | 'spec'> {
  const metadata = { id, labels: { ...labels }, ...(name === null ? {} : { name }) }
  return { metadata, spec: spec as v2.Monitor['spec'] }
}

/** Whether an edit changes anything, and whether it changes the spec. */
export function compareContent(
  before: Content,
  after: Content,
): { readonly isSame: boolean; readonly sameSpec: boolean } {
  const sameSpec = isSameJson(before.spec as Json, after.spec as Json)
  const isSame = sameSpec && before.name === after.name && isSameJson(before.labels, after.labels)
  return { isSame, sameSpec }
}
