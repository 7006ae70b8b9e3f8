// kinds/managed-resource.ts: a resource written through v2, as the service holds it. What people wrote is
// kept verbatim, without defaults. Identity and versions are never interchangeable: uid is one incarnation,
// change is one edit, generation is one spec.
import { v2 } from '@pulseward/contract'
import { canonicalJson } from '../platform/json/canonical-json.ts'
import { isSameJson, type Json } from '../platform/json/json.ts'
import type { StoredResource } from '../store/resource.ts'
import type { WrittenVersion } from './job-type-versions.ts'
import type { ManagedKind, Sent, SpecOf } from './kind.ts'
import { kindOf } from './kind-table.ts'

/** The part that people write. */
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
  /** For a kind with a secret: its encrypted value, and the number of the change that set it. */
  readonly sealed: { readonly value: Uint8Array; readonly change: number } | null
  /** For a kind that keeps versions: those written in this incarnation. */
  readonly versions?: readonly WrittenVersion[]
}

/** What the store keeps in the spec in addition to what people wrote. */
interface Beside {
  readonly valueChange?: number
  readonly versionDigests?: readonly WrittenVersion[]
}

export function asStored(resource: ManagedResource): StoredResource {
  const { sealed, spec, versions, ...rest } = resource
  const beside: Beside = {
    ...(sealed === null ? {} : { valueChange: sealed.change }),
    ...(versions === undefined ? {} : { versionDigests: versions }),
  }
  const kept = sealed === null && versions === undefined ? spec : { ...(spec as object), ...beside }
  return { ...rest, spec: canonicalJson(kept), sealed: sealed?.value ?? null }
}

export function fromStored(stored: StoredResource): ManagedResource {
  const { sealed, spec, kind, ...rest } = stored
  const { own, valueChange, versionDigests } = partsOfStored(kind, JSON.parse(spec))
  return {
    ...rest,
    kind,
    spec: own,
    sealed: sealed === null ? null : { value: sealed, change: valueChange ?? 0 },
    ...(versionDigests === undefined ? {} : { versions: versionDigests }),
  }
}

/** Whether the store keeps anything in addition to the spec. */
export function hasMoreInStore(kind: ManagedKind): boolean {
  const { secret, keepsVersions } = kindOf(kind)
  return secret !== null || keepsVersions
}

/** What people wrote, and what the store keeps in addition. */
export function partsOfStored(kind: ManagedKind, spec: object): { readonly own: object } & Beside {
  if (!hasMoreInStore(kind)) return { own: spec }
  const { valueChange, versionDigests, ...own } = spec as Beside
  return {
    own,
    ...(valueChange === undefined ? {} : { valueChange }),
    ...(kindOf(kind).keepsVersions ? { versionDigests: versionDigests ?? [] } : {}),
  }
}

/** In the form that the rules of monitors take. */
export function asMonitor({ id, name, labels, spec }: ManagedResource): Sent<SpecOf['Monitor']> {
  const metadata = { id, labels: { ...labels }, ...(name === null ? {} : { name }) }
  return { metadata, spec: spec as SpecOf['Monitor'] }
}

/** Everything that a client can write: the target of a merge patch. */
export function written({
  kind,
  id,
  name,
  labels,
  spec,
}: Content & Pick<ManagedResource, 'kind' | 'id'>): v2.Resource {
  const metadata = {
    id,
    ...(name === null ? {} : { name }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  }
  return { apiVersion: v2.apiVersion, kind, metadata, spec } as v2.Resource
}

/**
 * What is kept of a resource that was sent: everything but its secret. Its keys are in the order of the
 * store: the next process must not take the same configuration for a changed one.
 */
export function contentOf(kind: ManagedKind, { metadata, spec }: Sent): Content {
  const { name, labels } = metadata
  return {
    name: name ?? null,
    labels: labels ?? {},
    spec: JSON.parse(canonicalJson(withoutSecret(kind, spec))),
  }
}

/** A spec without its secret. */
export function withoutSecret(kind: ManagedKind, spec: unknown): unknown {
  const { secret } = kindOf(kind)
  if (secret === null) return spec
  const { [secret]: _, ...rest } = spec as { readonly [key: string]: unknown }
  return rest
}

/** The secret in a resource that was sent; null if there is none. */
export function secretIn(kind: ManagedKind, { spec }: Pick<Sent, 'spec'>): string | null {
  const { secret } = kindOf(kind)
  const value = secret === null ? undefined : (spec as { readonly [key: string]: unknown })[secret]
  return typeof value === 'string' ? value : null
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
