// managing/arrangement-snapshot.ts: a file that holds the monitors of v2 packed as the running fleet has them, so that a
// start does not have to read a million rows. It can always be made again from the store: one that is missing, broken or
// not ours is no error, and nobody relies on its being on disk. It is whole or it is not there: it gets its name last.
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import {
  type MonitorParts,
  type MonitorsSource,
  readMonitors,
  writeMonitors,
} from '../fleet/snapshot/packed-monitors.ts'
import { readSnapshotFile, writeSnapshotFile } from '../fleet/snapshot/snapshot-file.ts'

/** Which snapshots can be used: those of the same store in the same life, made by the same program. */
export type SnapshotKey = string

/** What is written. The columns may be those of a fleet that is being changed. */
export interface SnapshotSource extends MonitorsSource {
  readonly key: SnapshotKey
  /** Everything up to this change is in the columns. Later changes may be, wholly, in part or not at all. */
  readonly change: number
  readonly present: Uint8Array
  /** The number of the source that monitors of v2 have. */
  readonly ownSource: number
}

export interface Snapshot {
  readonly definition: FleetDefinition
  readonly change: number
}

interface Head extends MonitorParts {
  readonly key: SnapshotKey
  readonly change: number
}

/**
 * A row that becomes free is given to another monitor after a minute. Ids that were read within half of that belong to the
 * monitors that were there at the beginning, so no id is read twice.
 */
const idsReadWithinMs = 30_000

/** False when it took so long that it could not be trusted; then the one that was there before stays. */
export function writeSnapshot(path: string, source: SnapshotSource): boolean {
  return writeSnapshotFile(path, (file): Head | null => {
    const began = performance.now()
    const areIdsTrusted = () => performance.now() - began <= idsReadWithinMs
    const parts = writeMonitors(file, source, ownRows(source), areIdsTrusted)
    return parts === null ? null : { key: source.key, change: source.change, ...parts }
  })
}

/** Null when there is none that can be used. */
export function readSnapshot(path: string, key: SnapshotKey): Snapshot | null {
  return readSnapshotFile(path, (file, head: Head) =>
    head.key === key ? { definition: readMonitors(file, head), change: head.change } : null,
  )
}

function ownRows({ present, numbers, ownSource }: SnapshotSource): Uint32Array {
  const rows = new Uint32Array(present.length)
  let count = 0
  for (let row = 0; row < present.length; row++)
    if (present[row] === 1 && numbers.sources[row] === ownSource) rows[count++] = row
  return rows.subarray(0, count)
}
