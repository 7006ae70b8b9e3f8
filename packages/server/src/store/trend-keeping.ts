// store/trend-keeping.ts: what both stores do with trend blocks: add a closed block to its cell, read the
// cells of one monitor, sum up the hours of a completed day, and remove what has expired. An hour is removed
// only after its day was summed up. The store runs each call inside a transaction.
import { CellSum, CountedCell, emptyCell, sumOf, type TrendCell } from '../trends/cell.ts'
import {
  addRow,
  cellInRow,
  cellsInRow,
  encodeClosedBlock,
  TREND_BLOCK_MONITORS,
} from '../trends/closed-block.ts'
import { eachCountedCell, encodeFleetCell, fleetCellInRow } from '../trends/counted-block.ts'
import {
  cellAt,
  hoursOfDay,
  isSaved,
  type SavedLevel,
  type TrendLevel,
  trendLevels,
} from '../trends/levels.ts'
import {
  fleetBlock,
  type NumberedCell,
  type OpenTrendBlock,
  type TrendQuery,
  type TrendsQuery,
  type TrendWrite,
} from './trend.ts'

/** The rows of one level are ordered by cell, then by block. */
export interface TrendRows {
  read(level: TrendLevel, key: number): Uint8Array | null
  write(level: TrendLevel, key: number, bytes: Uint8Array): void
  /** The lowest key at or above this one. */
  firstFrom(level: TrendLevel, key: number): number | null
  /** Removes the lowest keys below this one, and returns how many. */
  removeBelow(level: TrendLevel, key: number, atMost: number): number
  readOpen(level: SavedLevel, block: number): OpenTrendBlock | null
  writeOpen(open: OpenTrendBlock): void
  removeOpen(level: SavedLevel, block: number): void
}

/** More than there can be blocks: monitor numbers have 32 bits. */
const keysPerCell = 2 ** 25
/** Long enough for every block of the last hour to be closed. */
const dayEndsAfterMs = 10 * 60_000
/** Blocks summed up per call: takes a few milliseconds. */
const blocksAddedUp = 8
const notAdding = { day: -1, block: 0 }

export class TrendKeeping {
  readonly #rows: TrendRows
  /** The day that is being summed up, and the next block. */
  #adding = notAdding
  /** The same as of the last transaction that was committed. */
  #settled = notAdding

  constructor(rows: TrendRows) {
    this.#rows = rows
  }

  commit(writes: readonly TrendWrite[]): void {
    for (const { is, ...block } of writes) {
      if (is === 'open') this.#rows.writeOpen(block)
      else this.#close(block)
    }
  }

  read({ level, numericId, from, to }: TrendQuery): NumberedCell[] {
    const block = numericId === null ? fleetBlock : blockOf(numericId)
    const index = (numericId ?? 0) % TREND_BLOCK_MONITORS
    const open = level === 'day' || !isSaved(level) ? null : this.#rows.readOpen(level, block)
    const found: NumberedCell[] = []
    for (let cell = from; cell <= to; cell++) {
      const row = this.#rows.read(level, keyOf(cell, block))
      const sum = joinedCell(
        row === null ? emptyCell : closedCell(row, block, index),
        open?.cell === cell ? openCell(open, index) : emptyCell,
      )
      if (sum.samples > 0) found.push({ cell, ...sum })
    }
    return found
  }

  readMany({ level, numericIds, from, to }: TrendsQuery): NumberedCell[][] {
    const found = numericIds.map((): NumberedCell[] => [])
    const wanted = Map.groupBy(numericIds.keys(), (place) => blockOf(numericIds[place]!))
    for (const [block, places] of wanted) {
      const indices = places.map((place) => numericIds[place]! % TREND_BLOCK_MONITORS)
      const open = level === 'day' || !isSaved(level) ? null : this.#rows.readOpen(level, block)
      const counted = open === null ? [] : openCells(open, indices)
      for (let cell = from; cell <= to; cell++) {
        const row = this.#rows.read(level, keyOf(cell, block))
        const closed = row === null ? [] : cellsInRow(row, indices)
        for (const [at, place] of places.entries()) {
          const sum = joinedCell(closed[at], open?.cell === cell ? counted[at] : undefined)
          if (sum.samples > 0) found[place]!.push({ cell, ...sum })
        }
      }
    }
    return found
  }

  /** Sums up completed days, a few blocks at a time, and returns how many. */
  addUpDays(now: number, highestNumericId: number): number {
    const day = this.#nextDay(cellAt('day', now - dayEndsAfterMs))
    if (day === null) return 0
    const blocks = Math.floor(highestNumericId / TREND_BLOCK_MONITORS) + 1
    let block = this.#adding.day === day ? this.#adding.block : 0
    const first = block
    for (; block < first + blocksAddedUp && block < blocks; block++) this.#addUp(day, block)
    this.#adding = { day, block }
    // The fleet's block comes last: if it exists, the day is complete.
    if (block >= blocks) this.#addUp(day, fleetBlock)
    return block - first + 1
  }

  /** Removes expired rows, at most this many, and returns how many. */
  forget(now: number, atMost: number): number {
    let left = atMost
    for (const level of ['minute', 'fiveMinutes', 'hour', 'day'] as const) {
      if (left <= 0) break
      const { cellMs, keepMs } = trendLevels[level]
      let before = Math.floor((now - keepMs) / cellMs)
      if (level === 'hour') {
        const unsummed = this.#nextDay(Math.ceil(before / hoursOfDay))
        if (unsummed !== null) before = Math.min(before, unsummed * hoursOfDay)
      }
      left -= this.#rows.removeBelow(level, keyOf(before, fleetBlock), left)
    }
    return atMost - left
  }

  /** After the transaction is committed. */
  settle(): void {
    this.#settled = this.#adding
  }

  /** After a failed transaction. */
  discard(): void {
    this.#adding = this.#settled
  }

  #close({ level, block, cell, bytes }: OpenTrendBlock): void {
    this.#append(level, cell, block, bytes)
    if (level === 'hour') {
      // The clock was set back, or no process ran for long: the day was summed up without this block.
      const day = Math.floor(cell / hoursOfDay)
      if (this.#isAddedUp(day, block)) this.#append('day', day, block, bytes)
    }
    if (isSaved(level)) this.#rows.removeOpen(level, block)
  }

  #append(level: TrendLevel, cell: number, block: number, bytes: Uint8Array): void {
    const key = keyOf(cell, block)
    const before = this.#rows.read(level, key)
    this.#rows.write(level, key, before === null ? bytes : joined(before, bytes))
  }

  /** The first day before this one that has hours and was not summed up. */
  #nextDay(before: number): number | null {
    for (let from = 0; ; ) {
      const key = this.#rows.firstFrom('hour', from)
      if (key === null) return null
      const day = Math.floor(key / keysPerCell / hoursOfDay)
      if (day >= before) return null
      if (this.#rows.read('day', keyOf(day, fleetBlock)) === null) return day
      from = keyOf((day + 1) * hoursOfDay, fleetBlock)
    }
  }

  /** True even without a row: a block in which nothing was counted that day has none. */
  #isAddedUp(day: number, block: number): boolean {
    const { day: adding, block: next } = this.#adding
    if (this.#rows.read('day', keyOf(day, block)) !== null) return true
    return (day === adding && block < next) || this.#rows.read('day', keyOf(day, fleetBlock)) !== null
  }

  #addUp(day: number, block: number): void {
    const key = keyOf(day, block)
    if (this.#rows.read('day', key) !== null) return
    const hours: Uint8Array[] = []
    for (let hour = 0; hour < hoursOfDay; hour++) {
      const row = this.#rows.read('hour', keyOf(day * hoursOfDay + hour, block))
      if (row !== null) hours.push(row)
    }
    if (block === fleetBlock) this.#rows.write('day', key, sumOfFleet(hours))
    else if (hours.length > 0) this.#rows.write('day', key, sumOfBlocks(hours))
  }
}

function keyOf(cell: number, block: number): number {
  return cell * keysPerCell + block + 1
}

function blockOf(numericId: number): number {
  return Math.floor(numericId / TREND_BLOCK_MONITORS)
}

/** A clock that was set back fills a cell again that is closed already. */
function joinedCell(closed = emptyCell, counted = emptyCell): TrendCell {
  if (counted.samples === 0) return closed
  return closed.samples === 0 ? counted : sumOf([closed, counted])
}

function closedCell(row: Uint8Array, block: number, index: number): TrendCell {
  return block === fleetBlock ? fleetCellInRow(row).summed() : cellInRow(row, index)
}

function openCell(open: OpenTrendBlock, index: number): TrendCell {
  if (open.block === fleetBlock) return fleetCellInRow(open.bytes).summed()
  return openCells(open, [index])[0]!
}

function openCells({ bytes }: OpenTrendBlock, indices: readonly number[]): TrendCell[] {
  const found = indices.map(() => emptyCell)
  eachCountedCell(bytes, (at, cell) => {
    for (const [place, index] of indices.entries()) if (index === at) found[place] = cell.summed()
  })
  return found
}

function sumOfBlocks(rows: readonly Uint8Array[]): Uint8Array {
  const sums = Array.from({ length: TREND_BLOCK_MONITORS }, () => new CellSum())
  for (const row of rows) addRow(row, sums)
  return encodeClosedBlock(sums.map((sum) => sum.total))
}

function sumOfFleet(rows: readonly Uint8Array[]): Uint8Array {
  const sum = new CountedCell()
  for (const row of rows) sum.add(fleetCellInRow(row))
  return encodeFleetCell(sum)
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
