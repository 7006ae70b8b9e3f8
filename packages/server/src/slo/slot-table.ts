// slo/slot-table.ts: counters for the sixty slots of the window, a row a slot, in one typed array. A row carries
// the number of its slot and is cleared when a later slot claims its place, so time needs no turning: a jump of
// hours costs nothing, and what is too old is left out when the table is read.
import { SLOTS } from './slot-grid.ts'

/** The slot's number plus one, so that 0 is a row that was never claimed. */
const STAMP = 0

/** The first column that a table's owner may use. */
export const FIRST_COLUMN = 1

export class SlotTable {
  readonly cells: Uint32Array
  readonly #columns: number

  constructor(columns: number) {
    this.#columns = columns
    this.cells = new Uint32Array(SLOTS * columns)
  }

  /** The first cell of the slot's row; -1 when it has left the window or lies before its origin. */
  claim(slot: number): number {
    if (slot < 0) return -1
    const { cells } = this
    const row = (slot % SLOTS) * this.#columns
    const stamp = cells[row + STAMP]!
    if (stamp === slot + 1) return row
    if (stamp > slot) return -1
    cells.fill(0, row, row + this.#columns)
    cells[row + STAMP] = slot + 1
    return row
  }

  slotOf(row: number): number {
    return this.cells[row + STAMP]! - 1
  }

  /** The rows of a slot and of all later ones, in no particular order. */
  *rowsSince(oldestSlot: number): Generator<number> {
    for (let row = 0; row < this.cells.length; row += this.#columns) {
      const slot = this.slotOf(row)
      if (slot >= 0 && slot >= oldestSlot) yield row
    }
  }

  /** Every column from FIRST_COLUMN on, added up over those rows; the columns keep their numbers. */
  sumSince(oldestSlot: number): Float64Array {
    const sums = new Float64Array(this.#columns)
    for (const row of this.rowsSince(oldestSlot)) {
      for (let column = FIRST_COLUMN; column < this.#columns; column++)
        sums[column]! += this.cells[row + column]!
    }
    return sums
  }
}
