// projection/frozen-fleet.ts: the fleet as it was when a snapshot was taken: its definition, by reference,
// and a copy of the columns that views read. The copies are in shared memory, for the query thread. There are
// two sets: while one is shown, the next snapshot is written into the other.
import { createColumns, type FleetColumns } from '../fleet/columns.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { newColumn } from '../platform/column.ts'
import type { QuerySource } from './query/query-view.ts'

/** The copied columns; samples are shown as snapshots observed them. */
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
  'tellsNobody',
  'snoozed',
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

  /** Returns the set that is not shown, with room for this many rows. */
  begin(capacity: number): FleetColumns {
    // Columns that are not copied are never touched, and so take no memory.
    if (this.#next === null || this.#next.capacity < capacity) this.#next = createColumns(capacity)
    return this.#next
  }

  /** Shows what was written since `begin`. */
  show(fleet: Fleet): FrozenFleet {
    const columns = this.#next!
    this.#next = this.#shown
    this.#shown = columns
    const { definition, searchNames, firstTags } = fleet
    // Monitors that are added or removed later are not in it.
    const present = newColumn(Uint8Array, fleet.present.length)
    present.set(fleet.present)
    return { definition, present, searchNames, firstTags, columns }
  }
}

export function copyColumns(from: FleetColumns, to: FleetColumns, first: number, end: number): void {
  for (const name of copied) to[name].set(from[name].subarray(first, end), first)
}
