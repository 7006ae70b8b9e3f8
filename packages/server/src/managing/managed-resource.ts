// managing/managed-resource.ts: a resource that was written through v2, as the service holds it. What people wrote is
// kept as they wrote it, without defaults. Identity and versions are never interchangeable: uid is one incarnation,
// change is one edit, generation is one spec.
import type { v2 } from '@pulseward/contract'
import { canonicalJson } from '../resources/canonical-json.ts'
import { isSameJson, type Json } from '../resources/json.ts'
import type { StoredResource } from '../store/resource.ts'
import type { WrittenVersion } from './job-type-versions.ts'

export type ManagedKind = 'Monitor' | 'NotificationEndpoint' | 'NotificationGroup' | 'Credential' | 'JobType'

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
  /** Of a job type: the versions that were written in this incarnation. */
  readonly versions?: readonly WrittenVersion[]
}

export type SpecOf = {
  readonly Monitor: v2.Monitor['spec']
  readonly NotificationEndpoint: v2.NotificationEndpoint['spec']
  readonly NotificationGroup: v2.NotificationGroup['spec']
  readonly Credential: Pick<v2.Credential['spec'], 'description'>
  readonly JobType: v2.JobType['spec']
}

/**
 * As it stands in the store. Beside what people wrote, the spec of a credential says which change set its value, and that
 * of a job type which versions there were.
 */
export function asStored(resource: ManagedResource): StoredResource {
  const { sealed, spec, versions, ...rest } = resource
  const beside = {
    ...(sealed === null ? {} : { valueChange: sealed.change }),
    ...(versions === undefined ? {} : { versionDigests: versions }),
  }
  const kept = sealed === null && versions === undefined ? spec : { ...(spec as object), ...beside }
  return { ...rest, spec: canonicalJson(kept), sealed: sealed?.value ?? null }
}

export function fromStored(stored: StoredResource): ManagedResource {
  const { sealed, spec, kind, ...rest } = stored
  const { own, valueChange, versionDigests } = partsOfStored(kind, JSON.parse(spec))
  const resource = { ...rest, kind, spec: own }
  if (versionDigests !== undefined) return { ...resource, sealed: null, versions: versionDigests }
  return { ...resource, sealed: sealed === null ? null : { value: sealed, change: valueChange ?? 0 } }
}

/** What people wrote, and what the store keeps beside it. */
export function partsOfStored(
  kind: StoredResource['kind'],
  spec: object,
): { own: object; valueChange?: number; versionDigests?: readonly WrittenVersion[] } {
  if (kind === 'Credential') {
    const { valueChange, ...own } = spec as { valueChange?: number }
    return { own, ...(valueChange === undefined ? {} : { valueChange }) }
  }
  if (kind !== 'JobType') return { own: spec }
  const { versionDigests = [], ...own } = spec as { versionDigests?: readonly WrittenVersion[] }
  return { own, versionDigests }
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
