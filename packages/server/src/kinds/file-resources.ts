// kinds/file-resources.ts: resources of fleet files as v2 shows them. They are read-only in v2, so their
// versions only have to distinguish contents: they are derived from the content.
import { createHash } from 'node:crypto'
import { v2 } from '@pulseward/contract'
import { type FleetDefinition, sharedValue } from '../config/fleet-file/definition.ts'
import type { LoadedFleet } from '../config/fleet-file/load-fleet.ts'
import { type FleetHead, headOf } from '../fleet/fleet-change.ts'
import { canonicalJson } from '../platform/json/canonical-json.ts'
import type { Json } from '../platform/json/json.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { monitorSpec } from './file-monitor.ts'
import { entriesOf, hasEntry } from './head-part.ts'
import type { ManagedKind } from './kind.ts'
import { kindOf } from './kind-table.ts'
import { type Content, written } from './managed-resource.ts'
import { placeInFiles } from './route.ts'

/** A resource from a file. */
export interface FileResource extends Content<Json> {
  readonly kind: ManagedKind
  readonly id: string
  /** Constant while the file has it under this id. */
  readonly uid: string
  /** Changes with the content. */
  readonly digest: string
}

export function fileMonitor(definition: FleetDefinition, row: number, storeId: string): FileResource {
  const id = new PackedReader(definition.ids).get(row)
  const name = new PackedReader(definition.names).get(row)
  const config = JSON.parse(new PackedReader(definition.configs).get(row))
  const spec = monitorSpec(definition, row, config) as unknown as Json
  return made('Monitor', id, { name, labels: sharedValue(definition.labels, row), spec }, storeId)
}

/** The resources of a kind in the head of a fleet. */
export function fileResources(kind: ManagedKind, head: FleetHead, storeId: string): FileResource[] {
  const part = kindOf(kind).head
  if (part === null) return []
  return [...entriesOf(head, part.name)].map(([id, entry]) =>
    made(
      kind,
      id,
      { name: part.nameOf?.(entry) ?? null, labels: {}, spec: part.toSpec(entry) as Json },
      storeId,
    ),
  )
}

/** A resource of the head for v2 to take over, and the entry of the files that it was. */
export interface TakenOver {
  readonly entry: string
  readonly resource: FileResource
}

/** Referenced ones first. A route that has only its place in the files gets the next id that is free for it. */
export function takenOver(
  head: FleetHead,
  isFree: (route: FileResource) => boolean = () => true,
): TakenOver[] {
  let routes = 0
  const named = (route: FileResource): FileResource => {
    if (!placeInFiles.test(route.id)) return route
    for (;;) {
      routes++
      const resource = { ...route, id: `route-${routes}` }
      if (isFree(resource) && !hasEntry(head, 'routes', resource.id)) return resource
    }
  }
  return v2.kindsInOrder.flatMap((kind) =>
    fileResources(kind, head, '').map((resource) =>
      kind === 'Route'
        ? { entry: entryOfRoute(resource.id), resource: named(resource) }
        : { entry: `${kindOf(kind).head?.section}.${resource.id}`, resource },
    ),
  )
}

/** A route without an id is named by its place, which is an entry already. */
function entryOfRoute(id: string): string {
  return placeInFiles.test(id) ? id : `routes.${id}`
}

/** The uid of a resource from a file: constant while it has this id in this store. */
export function fileUid(storeId: string, kind: ManagedKind, id: string): string {
  return digestOf(`${storeId} ${kind} ${id}`).slice(0, 32)
}

function made(kind: ManagedKind, id: string, content: Content<Json>, storeId: string): FileResource {
  const { name, labels, spec } = content
  const digest = digestOf(canonicalJson({ name, labels, spec })).slice(0, 24)
  return { kind, id, uid: fileUid(storeId, kind, id), digest, ...content }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A resource with its place in the files. */
export interface PlacedResource {
  /** A file and a line or an entry in it. */
  readonly source: string
  readonly resource: v2.Resource
}

/**
 * All resources of fleet files that can be written through v2, referenced ones first. Credentials include
 * their values, so the result must not be shown.
 */
export function* fleetResources(loaded: LoadedFleet): Generator<PlacedResource> {
  const { definition, credentials, files } = loaded
  const names = files.join(', ')
  for (const [id, value] of credentials)
    yield {
      source: `${names}: credentials.${id}`,
      resource: { apiVersion: v2.apiVersion, kind: 'Credential', metadata: { id }, spec: { value } },
    }
  for (const { entry, resource } of takenOver(headOf(definition)))
    yield { source: `${names}: ${entry}`, resource: written(resource) }
  for (let row = 0; row < definition.count; row++)
    yield { source: loaded.placeOf(row), resource: written(fileMonitor(definition, row, '')) }
}
