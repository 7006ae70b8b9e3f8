// slo/bucket-table.ts: counters for the sixty buckets of the window, one row per bucket, in one typed array.
// A row carries the number of its bucket and is cleared when a later bucket claims it. So nothing has to run
// as time passes: a jump of hours costs nothing, and old rows are skipped when the table is read.
import { BUCKETS } from './bucket-grid.ts'

/** The bucket's number plus one, so that 0 marks a row that was never claimed. */
const STAMP = 0

/** The first column that a table's owner may use. */
export const FIRST_COLUMN = 1

export class BucketTable {
  readonly cells: Uint32Array
  readonly #columns: number

  constructor(columns: number) {
    this.#columns = columns
    this.cells = new Uint32Array(BUCKETS * columns)
  }

  /** The first cell of the bucket's row; -1 if it has left the window or lies before its origin. */
  claim(bucket: number): number {
    if (bucket < 0) return -1
    const { cells } = this
    const row = (bucket % BUCKETS) * this.#columns
    const stamp = cells[row + STAMP]!
    if (stamp === bucket + 1) return row
    if (stamp > bucket) return -1
    cells.fill(0, row, row + this.#columns)
    cells[row + STAMP] = bucket + 1
    return row
  }

  add(cell: number, amount = 1): void {
    this.cells[cell]! += amount
  }

  bucketOf(row: number): number {
    return this.cells[row + STAMP]! - 1
  }

  /** The rows of this bucket and all later ones, in no particular order. */
  *rowsSince(oldestBucket: number): Generator<number> {
    for (let row = 0; row < this.cells.length; row += this.#columns) {
      const bucket = this.bucketOf(row)
      if (bucket >= 0 && bucket >= oldestBucket) yield row
    }
  }

  /** Sums every column from FIRST_COLUMN on over those rows; columns keep their indexes. */
  sumSince(oldestBucket: number): Float64Array {
    const sums = new Float64Array(this.#columns)
    for (const row of this.rowsSince(oldestBucket)) {
      for (let column = FIRST_COLUMN; column < this.#columns; column++)
        sums[column]! += this.cells[row + column]!
    }
    return sums
  }
}
