// projection/query/sorted-page.ts: one page of the matches, sorted by something else than the name, without sorting all of
// them. Monitors that are equal stay in list order, so pages neither overlap nor leave anybody out while values stay.
import type { MonitorSort } from '@pulseward/contract'
import type { ListOrder } from './list-order.ts'
import type { RowPage } from './query.ts'
import type { QueryColumns } from './query-view.ts'
import { selectRange } from './select-range.ts'

/** Sorting this many costs less than walking over a million. */
export const fewRows = 5_000

/** Sorted by a column of few values. */
export type RankedSort = Extract<MonitorSort, 'status' | 'pulse_type' | 'pending_code'>
type NumberSort = Exclude<MonitorSort, RankedSort | 'name'>

export function isRanked(by: MonitorSort): by is RankedSort {
  return by === 'status' || by === 'pulse_type' || by === 'pending_code'
}

export function rankedColumn({ status, type, code }: QueryColumns, by: RankedSort): Uint8Array {
  if (by === 'status') return status
  return by === 'pulse_type' ? type : code
}

export interface Ranked {
  readonly order: ListOrder
  /** Of each row, from 1; 0 does not match. */
  readonly ranks: Uint8Array
  /** How many rows have each rank. */
  readonly counts: Uint32Array
  readonly isDescending: boolean
}

/** Keeps only rows that are also marked, four at a time. */
export function keepMarked(kept: Uint8Array, marks: Uint8Array): void {
  const both = Math.min(kept.length, marks.length)
  const words = both >>> 2
  const keptWords = new Uint32Array(kept.buffer, kept.byteOffset, words)
  const markWords = new Uint32Array(marks.buffer, marks.byteOffset, words)
  for (let word = 0; word < words; word++) keptWords[word] = keptWords[word]! & markWords[word]!
  for (let row = words * 4; row < both; row++) kept[row] = kept[row]! & marks[row]!
  kept.fill(0, both)
}

/** Writes the rank of each row, 0 for those that are not kept, and counts them: one walk, without a branch per row. */
export function rankAll(
  ranks: Uint8Array,
  of: { readonly kept: Uint8Array; readonly column: Uint8Array; readonly rankOf: Uint8Array },
): Uint32Array {
  const { kept, column, rankOf } = of
  // Equal ranks follow each other, and an increment waits for the one before it: even and odd rows are counted apart.
  const [even, odd] = [new Uint32Array(256), new Uint32Array(256)]
  const pairs = kept.length & ~1
  for (let row = 0; row < pairs; row += 2) {
    const one = rankOf[column[row]!]! & -kept[row]!
    const other = rankOf[column[row + 1]!]! & -kept[row + 1]!
    ranks[row] = one
    ranks[row + 1] = other
    even[one]!++
    odd[other]!++
  }
  if (pairs < kept.length) {
    ranks[pairs] = rankOf[column[pairs]!]! & -kept[pairs]!
    even[ranks[pairs]!]!++
  }
  return even.map((count, rank) => count + odd[rank]!)
}

export function pageByRank(ranked: Ranked, page: number, size: number): RowPage {
  const { order, ranks, counts, isDescending } = ranked
  const used = [...counts.keys()].filter((rank) => rank > 0 && counts[rank]! > 0)
  if (isDescending) used.reverse()
  const total = used.reduce((sum, rank) => sum + counts[rank]!, 0)
  const from = (page - 1) * size
  const rows = new Uint32Array(Math.max(0, Math.min(size, total - from)))
  let before = 0
  let filled = 0
  for (const rank of used) {
    if (filled === rows.length) break
    const count = counts[rank]!
    const skipped = Math.max(0, from - before)
    before += count
    if (skipped >= count) continue
    const shown = Math.min(count - skipped, rows.length - filled)
    const found =
      count <= fewRows
        ? order.sort(rowsWith(ranks, rank, count)).subarray(skipped, skipped + shown)
        : walked(order, ranks, rank, skipped, shown)
    rows.set(found, filled)
    filled += shown
  }
  return { total, rows }
}

function rowsWith(ranks: Uint8Array, rank: number, count: number): Uint32Array {
  const rows = new Uint32Array(count)
  let row = -1
  for (let index = 0; index < count; index++) {
    row = ranks.indexOf(rank, row + 1)
    rows[index] = row
  }
  return rows
}

function walked(
  order: ListOrder,
  ranks: Uint8Array,
  rank: number,
  skipped: number,
  shown: number,
): Uint32Array {
  const rows = new Uint32Array(shown)
  let seen = -skipped
  order.forEachBlock((block) => {
    for (let place = 0; place < block.length && seen < shown; place++) {
      const row = block[place]!
      if (ranks[row] !== rank) continue
      if (seen >= 0) rows[seen] = row
      seen++
    }
    return seen < shown ? 'more' : 'enough'
  })
  return rows
}

/** Reads a number of a row; NaN if it is not known. */
export function numberIn(columns: QueryColumns, by: NumberSort): (row: number) => number {
  const { latencyMs, lastCheck, shownHealthySamples, shownTotalSamples } = columns
  if (by === 'latency_ms') return (row) => latencyMs[row]!
  if (by === 'last_check') return (row) => lastCheck[row]!
  // Without samples this is 0 / 0.
  return (row) => shownHealthySamples[row]! / shownTotalSamples[row]!
}

/** `matches` are in list order. */
export function pageByNumber(
  matches: Uint32Array,
  numberOf: (row: number) => number,
  isDescending: boolean,
  page: number,
  size: number,
): RowPage {
  // Read once: sorting needs values that do not change.
  const keys = new Float64Array(matches.length)
  for (let place = 0; place < matches.length; place++) {
    const value = numberOf(matches[place]!)
    keys[place] = Number.isNaN(value) ? Number.POSITIVE_INFINITY : isDescending ? -value : value
  }
  const from = (page - 1) * size
  const shown = selectRange(
    Uint32Array.from(keys.keys()),
    from,
    from + size,
    // Of two infinite keys the difference is NaN.
    (left, right) => keys[left]! - keys[right]! || left - right,
  )
  return { total: matches.length, rows: shown.map((place) => matches[place]!) }
}
