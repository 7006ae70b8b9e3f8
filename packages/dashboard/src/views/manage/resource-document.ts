// views/manage/resource-document.ts: the parts of a resource's document: what people write, its id and its name.
import type { VersionedResource } from '../../data/v2-resource.ts'
import { isObject, type Json, type JsonObject, valueAt } from './json.ts'
import { type ManagedKind, wordsOf } from './kinds.ts'

/** The part of a resource that people write; what the service sets is left out. */
export function writablePart(resource: Json): JsonObject {
  const metadata = valueAt(resource, ['metadata'])
  const { id = '', name, labels } = isObject(metadata) ? metadata : {}
  return {
    apiVersion: 'pulseward/v2',
    kind: valueAt(resource, ['kind']) ?? '',
    metadata: { id, ...(name === undefined ? {} : { name }), ...(labels === undefined ? {} : { labels }) },
    spec: valueAt(resource, ['spec']) ?? {},
  }
}

/** The same for a resource that was read. */
export function writablePartOf({ resource }: VersionedResource): JsonObject {
  return writablePart(resource as unknown as Json)
}

export function emptyDocument(kind: ManagedKind): JsonObject {
  return { apiVersion: 'pulseward/v2', kind, metadata: { id: '' }, spec: wordsOf(kind).newSpec }
}

export function idOf(document: Json): string {
  const id = valueAt(document, ['metadata', 'id'])
  return typeof id === 'string' ? id : ''
}

/** What people call it. */
export function nameOf(document: Json): string {
  const name = valueAt(document, ['metadata', 'name'])
  return typeof name === 'string' && name !== '' ? name : idOf(document)
}

/** An id made from a name: its allowed characters, in order. */
export function idFor(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64)
}
