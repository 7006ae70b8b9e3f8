// trends/latency-buckets.ts: latencies in buckets that grow by the square root of two, from a quarter of a millisecond to
// three minutes. A bucket is told by its middle, which is at most 19 % away from any latency in it; the first holds all
// that is shorter, the last all that is longer. Stored cells hold numbers of buckets, so these must never change.
export const BUCKETS = 40

const SHORTEST_MS = 0.25

/** A latency that is no number counts as the shortest. */
export function bucketOf(ms: number): number {
  if (!(ms > SHORTEST_MS)) return 0
  return Math.min(BUCKETS - 1, Math.ceil(2 * Math.log2(ms / SHORTEST_MS)))
}

/** The middle of the bucket, to three digits: more would promise what a bucket does not know. */
export function bucketMs(bucket: number): number {
  return Number((SHORTEST_MS * 2 ** ((bucket - 0.5) / 2)).toPrecision(3))
}
