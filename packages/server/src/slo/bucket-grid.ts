// slo/bucket-grid.ts: divides the time of the SLO window into buckets of five seconds, numbered from its
// origin. The window is the current bucket and the 59 before it. Times are monotonic milliseconds, passed in.

export const BUCKET_MS = 5_000
export const BUCKETS = 60
export const WINDOW_MS = BUCKET_MS * BUCKETS

export class BucketGrid {
  readonly originMs: number

  constructor(originMs: number) {
    // Schedules are whole milliseconds. If bucket edges are too, counting buckets by division is exact.
    this.originMs = Math.floor(originMs)
  }

  /** Negative before the origin. */
  bucketOf(timeMs: number): number {
    return Math.floor((timeMs - this.originMs) / BUCKET_MS)
  }

  startOf(bucket: number): number {
    return this.originMs + bucket * BUCKET_MS
  }

  oldestBucketAt(nowMs: number): number {
    return this.bucketOf(nowMs) - BUCKETS + 1
  }

  /** The first bucket that did not end more than graceMs ago; every earlier one did. */
  firstBucketWithin(graceMs: number, nowMs: number): number {
    return Math.ceil((nowMs - graceMs - this.originMs) / BUCKET_MS) - 1
  }
}
