// telemetry/bucket-window.ts: sums over the recent past at a fixed cost. Time is cut into buckets of equal length; each
// holds one cell per column, and the oldest is cleared as time moves on. Nothing is allocated after construction. Times
// are monotonic milliseconds, passed in.

export class BucketWindow {
  readonly bucketMs: number
  /** How many complete buckets are kept besides the current one. */
  readonly length: number
  /** Bucket by bucket; find a bucket's first cell with roll, find or completed. */
  readonly cells: Float64Array
  readonly #columns: number
  readonly #startMs: number
  #current = 0

  constructor(shape: { bucketMs: number; length: number; columns: number }, startMs: number) {
    this.bucketMs = shape.bucketMs
    this.length = shape.length
    this.#columns = shape.columns
    this.#startMs = startMs
    this.cells = new Float64Array((shape.length + 1) * shape.columns)
  }

  /** Moves on to `nowMs` and returns the first cell of the current bucket. Never moves backwards. */
  roll(nowMs: number): number {
    const bucket = this.#bucketOf(nowMs)
    if (bucket > this.#current) this.#clearUpTo(bucket)
    return this.#cellOf(this.#current)
  }

  /** The first cell of the bucket that contains a past time; -1 if the window has moved past it. */
  find(timeMs: number): number {
    const bucket = this.#bucketOf(timeMs)
    if (bucket < 0 || bucket > this.#current || bucket < this.#current - this.length) return -1
    return this.#cellOf(bucket)
  }

  /** How many complete buckets the window holds: fewer than `length` only at the beginning. */
  get completedCount(): number {
    return Math.min(this.#current, this.length)
  }

  /** The first cell of a complete bucket: 0 is the newest. */
  completed(age: number): number {
    return this.#cellOf(this.#current - 1 - age)
  }

  /** The first cell of the preceding bucket, given the first cell of a bucket. */
  before(cell: number): number {
    return cell === 0 ? this.cells.length - this.#columns : cell - this.#columns
  }

  /** The sum of a column of whole numbers over the complete buckets. */
  completedSum(column: number): number {
    return this.sum(column) - this.cells[this.#cellOf(this.#current) + column]!
  }

  /** The sum of a column over the complete buckets and the current one. */
  sum(column: number): number {
    let sum = 0
    for (let cell = column; cell < this.cells.length; cell += this.#columns) sum += this.cells[cell]!
    return sum
  }

  max(column: number): number {
    let max = 0
    for (let cell = column; cell < this.cells.length; cell += this.#columns)
      max = Math.max(max, this.cells[cell]!)
    return max
  }

  /** Occurrences per second over the complete buckets; null before the first is complete. */
  ratePerSecond(column: number): number | null {
    if (this.completedCount === 0) return null
    return (this.completedSum(column) * 1_000) / (this.completedCount * this.bucketMs)
  }

  #bucketOf(timeMs: number): number {
    return Math.floor((timeMs - this.#startMs) / this.bucketMs)
  }

  #cellOf(bucket: number): number {
    return (bucket % (this.length + 1)) * this.#columns
  }

  #clearUpTo(bucket: number): void {
    if (bucket - this.#current > this.length) this.cells.fill(0)
    else {
      for (let fresh = this.#current + 1; fresh <= bucket; fresh++) {
        const cell = this.#cellOf(fresh)
        this.cells.fill(0, cell, cell + this.#columns)
      }
    }
    this.#current = bucket
  }
}
