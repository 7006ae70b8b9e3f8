// telemetry/bucket-window.ts: sums over the recent past at a fixed cost. Time is cut into buckets of equal length; each
// holds one cell per column, and the oldest is cleared as time moves on. Nothing is allocated after construction. Times
// are monotonic milliseconds, passed in.

export class BucketWindow {
  readonly bucketMs: number
  /** How many complete buckets are kept, beside the one that time is in. */
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

  /** Moves on to now and gives the first cell of its bucket; an earlier time than before stays where time is. */
  roll(nowMs: number): number {
    const bucket = this.#bucketOf(nowMs)
    if (bucket > this.#current) this.#clearUpTo(bucket)
    return this.#cellOf(this.#current)
  }

  /** The first cell of the bucket that a past time lies in; -1 when the window has moved past it. */
  find(timeMs: number): number {
    const bucket = this.#bucketOf(timeMs)
    if (bucket < 0 || bucket > this.#current || bucket < this.#current - this.length) return -1
    return this.#cellOf(bucket)
  }

  /** How many complete buckets the window holds: fewer than its length only at the beginning. */
  get completedCount(): number {
    return Math.min(this.#current, this.length)
  }

  /** The first cell of a complete bucket: 0 is the newest. */
  completed(age: number): number {
    return this.#cellOf(this.#current - 1 - age)
  }

  /** The first cell of the bucket before the one that has this first cell. */
  before(cell: number): number {
    return cell === 0 ? this.cells.length - this.#columns : cell - this.#columns
  }

  /** A column of whole numbers over the complete buckets. */
  completedSum(column: number): number {
    return this.sum(column) - this.cells[this.#cellOf(this.#current) + column]!
  }

  /** A column over the complete buckets and the one that time is in. */
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

  /** Occurrences a second over the complete buckets; null before there is one. */
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
