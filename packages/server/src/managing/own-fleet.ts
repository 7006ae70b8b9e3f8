// managing/own-fleet.ts: the monitors that v2 manages, as a start loads them: from the snapshot of the
// arrangement and, row by row, what changed since; or all of them row by row, if no snapshot can be used.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import { Amender } from '../fleet/amender.ts'
import { type Arrangement, arrange } from '../fleet/arrangement.ts'
import { type FleetHead, pickMonitors } from '../fleet/fleet-change.ts'
import { asMonitor, fromStored } from '../kinds/managed-resource.ts'
import { monitorDocument } from '../kinds/monitor-document.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { version } from '../platform/version.ts'
import type { StoredResource } from '../store/resource.ts'
import type { Recovered } from '../store/store.ts'
import { readSnapshot, type SnapshotKey } from './arrangement-snapshot.ts'

export interface OwnFleet {
  /** As of the snapshot; all of them if there is none. */
  readonly definition: FleetDefinition
  /** What was written since; no monitor is in both. */
  readonly written: FleetDefinition
  readonly deletedIds: ReadonlySet<string>
  /** The change up to which the snapshot goes; null if there is none. */
  readonly snapshotChange: number | null
}

/** Where the snapshot is, and the key that it must have. */
export interface SnapshotPlace {
  readonly path: string
  readonly key: SnapshotKey
}

/** Another epoch of the store, another program version or other drivers lead to another arrangement. */
export function snapshotKey({ epoch }: Recovered, drivers: DriverShapes): SnapshotKey {
  const made = createHash('sha256').update(JSON.stringify([version, epoch, drivers]))
  return made.digest('base64url')
}

export async function readOwnFleet(
  recovered: Recovered,
  place: SnapshotPlace | null,
  drivers: DriverShapes,
): Promise<OwnFleet> {
  const kept = place === null ? null : await fromSnapshot(recovered, place, drivers)
  if (kept !== null) return kept
  // An outdated snapshot might match again by chance, if an operator puts back a store that then takes another course.
  if (place !== null) rmSync(place.path, { force: true })
  const builder = new DefinitionBuilder(drivers)
  for await (const chunk of recovered.monitors)
    for (const stored of chunk) addStored(builder, stored, drivers)
  return { definition: builder.finish({}), written: none(), deletedIds: new Set(), snapshotChange: null }
}

async function fromSnapshot(
  recovered: Recovered,
  { path, key }: SnapshotPlace,
  drivers: DriverShapes,
): Promise<OwnFleet | null> {
  const snapshot = readSnapshot(path, key)
  if (snapshot === null || snapshot.change > recovered.lastChange) return null
  const changes = await recovered.changedMonitors(snapshot.change)
  if (changes === 'forgotten') return null
  const builder = new DefinitionBuilder(drivers)
  const deletedIds = new Set<string>()
  for await (const { written, deletedIds: deleted } of changes) {
    for (const stored of written) addStored(builder, stored, drivers)
    for (const id of deleted) deletedIds.add(id)
  }
  const { definition, change } = snapshot
  return { definition, written: builder.finish({}), deletedIds, snapshotChange: change }
}

function addStored(builder: DefinitionBuilder, stored: StoredResource, drivers: DriverShapes): void {
  builder.add(monitorDocument(asMonitor(fromStored(stored)), drivers), null)
}

function none(): FleetDefinition {
  return new DefinitionBuilder().finish({})
}

/** All of them, and nothing else. */
export function arrangeOwn(own: OwnFleet, head: FleetHead): Arrangement {
  const arrangement = arrange({ ...own.definition, ...head }, null)
  if (own.written.count === 0 && own.deletedIds.size === 0) return arrangement
  const change = { entries: own.written, removed: [...own.deletedIds], head }
  return asFirst(new Amender(arrangement).amend(change, anyRow))
}

/** Together with the monitors of files. */
export function arrangeBeside(files: Arrangement, own: OwnFleet, head: FleetHead): Arrangement {
  const amender = new Amender(files)
  amender.amend({ entries: unchanged(own), removed: [], head }, anyRow)
  return asFirst(amender.amend({ entries: own.written, removed: [], head }, anyRow))
}

/** The ids of all of them. */
export function* idsOf(own: OwnFleet): Generator<string> {
  for (const { ids, count } of [unchanged(own), own.written]) {
    const reader = new PackedReader(ids)
    for (let number = 0; number < count; number++) yield reader.get(number)
  }
}

/** Without those written or deleted since: a file may have one that was deleted here. */
function unchanged({ definition, written, deletedIds }: OwnFleet): FleetDefinition {
  if (written.count === 0 && deletedIds.size === 0) return definition
  const changed = new Set(deletedIds)
  const writtenIds = new PackedReader(written.ids)
  for (let number = 0; number < written.count; number++) changed.add(writtenIds.get(number))
  const ids = new PackedReader(definition.ids)
  const numbers = Uint32Array.from({ length: definition.count }, (_, number) => number)
  return pickMonitors(
    definition,
    numbers.filter((number) => !changed.has(ids.get(number))),
  )
}

const anyRow = { isIdle: () => true, nowMs: 0 }

/** As the arrangement that the engine starts with. */
function asFirst(arrangement: Arrangement): Arrangement {
  const { present, removed } = arrangement
  for (const row of removed) present[row] = 0
  const none = new Uint32Array(0)
  return {
    ...arrangement,
    isWhole: true,
    added: presentRows(present),
    removed: none,
    changed: none,
    changedBits: none,
  }
}

function presentRows(present: Uint8Array): Uint32Array {
  const rows = new Uint32Array(present.length)
  let count = 0
  for (let row = 0; row < present.length; row++) if (present[row] === 1) rows[count++] = row
  return rows.slice(0, count)
}
