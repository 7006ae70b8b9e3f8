// managing/own-fleet.ts: the monitors that v2 manages, as a start finds them: from the snapshot of the arrangement and, row
// by row, what changed since; or all of them row by row, where there is no snapshot that can be used.
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
  /** As they were some time ago. */
  readonly definition: FleetDefinition
  /** What became of them since; none of them is in both. */
  readonly written: FleetDefinition
  readonly deletedIds: ReadonlySet<string>
  /** The change up to which there is a snapshot; null without one. */
  readonly snapshotChange: number | null
}

/** Where the snapshot is, and what it has to be of. */
export interface SnapshotPlace {
  readonly path: string
  readonly key: SnapshotKey
}

/** Another life of the store, another version of the program and other drivers make other arrangements. */
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
  // One that fits no longer might fit again, by chance, to a store that was put back by hand and has gone another way.
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

/** Beside the monitors of files. */
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

/** Without those that are written or deleted since: a file may have one that was deleted here. */
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

/** The engine begins with all of it. */
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
