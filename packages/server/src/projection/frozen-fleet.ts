// projection/frozen-fleet.ts: a fleet as it was when a snapshot was taken: what was configured then, by reference, and
// a copy of the columns that rows are made of. The copies lie in shared memory, for the query thread, in two sets that
// take turns: while one is shown, the next snapshot is written into the other.
import { createColumns, type FleetColumns } from '../fleet/columns.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { newColumn } from '../platform/column.ts'
import type { QuerySource } from './query/query-view.ts'

/** Columns that are copied; the shown samples are those that snapshots observed. */
const copied = [
  'status',
  'type',
  'code',
  'lastCheck',
  'lastSuccess',
  'latencyMs',
  'consecutiveFailures',
  'numericId',
  'openedAt',
] as const

export type FrozenColumns = Pick<
  FleetColumns,
  (typeof copied)[number] | 'shownHealthySamples' | 'shownTotalSamples'
>

export interface FrozenFleet extends QuerySource {
  readonly columns: FrozenColumns
}

export class FrozenPair {
  #shown: FleetColumns | null = null
  #next: FleetColumns | null = null

  /** The set that is not shown, with room for this many rows. */
  begin(capacity: number): FleetColumns {
    // Columns that are not copied stay untouched, and so cost no memory.
    if (this.#next === null || this.#next.capacity < capacity) this.#next = createColumns(capacity)
    return this.#next
  }

  /** What was written since begin is shown from now on. */
  show(fleet: Fleet): FrozenFleet {
    const columns = this.#next!
    this.#next = this.#shown
    this.#shown = columns
    const { definition, searchNames, firstTags } = fleet
    // Monitors that come or leave later are not in it.
    const present = newColumn(Uint8Array, fleet.present.length)
    present.set(fleet.present)
    return { definition, present, searchNames, firstTags, columns }
  }
}

export function copyColumns(from: FleetColumns, to: FleetColumns, first: number, end: number): void {
  for (const name of copied) to[name].set(from[name].subarray(first, end), first)
}
