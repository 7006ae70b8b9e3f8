// managing/arrangement-snapshot.ts: a file with the monitors of v2, packed as in the running fleet, so that a start does
// not have to read a million rows. It can always be rebuilt from the store: a missing, damaged or foreign file is not an
// error, and it need not survive a power cut. It is complete or absent: it is renamed last.
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import {
  type MonitorParts,
  type MonitorsSource,
  readMonitors,
  writeMonitors,
} from '../fleet/snapshot/packed-monitors.ts'
import { readSnapshotFile, writeSnapshotFile } from '../fleet/snapshot/snapshot-file.ts'

/** Which snapshots can be used: those of the same store in the same epoch, made by the same program. */
export type SnapshotKey = string

/** What is written. The columns may belong to a fleet that is being changed. */
export interface SnapshotSource extends MonitorsSource {
  readonly key: SnapshotKey
  /** Everything up to this change is in the columns. Later changes may be in them entirely, in part or not at all. */
  readonly change: number
  readonly present: Uint8Array
  /** The source number of monitors of v2. */
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
 * A freed row is reused after a minute. Ids that were read within half of that belong to the monitors that
 * were there at the beginning, so no id is read twice.
 */
const idsReadWithinMs = 30_000

/** False if it took too long to be trusted; then the previous snapshot stays. */
export function writeSnapshot(path: string, source: SnapshotSource): boolean {
  return writeSnapshotFile(path, (file): Head | null => {
    const began = performance.now()
    const areIdsTrusted = () => performance.now() - began <= idsReadWithinMs
    const parts = writeMonitors(file, source, ownRows(source), areIdsTrusted)
    return parts === null ? null : { key: source.key, change: source.change, ...parts }
  })
}

/** Null if there is none that can be used. */
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
