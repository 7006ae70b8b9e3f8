// trends/latency-buckets.ts: latency buckets that grow by the square root of two, from a quarter of a millisecond to
// three minutes. A bucket is represented by its middle, which is at most 19 % away from any latency in it; the first
// holds all shorter latencies, the last all longer ones. Stored cells hold bucket numbers, so these must never change.
export const BUCKETS = 40

const SHORTEST_MS = 0.25

/** NaN counts as the shortest latency. */
export function bucketOf(ms: number): number {
  if (!(ms > SHORTEST_MS)) return 0
  return Math.min(BUCKETS - 1, Math.ceil(2 * Math.log2(ms / SHORTEST_MS)))
}

/** The middle of the bucket, to three digits: more would suggest a precision that a bucket does not have. */
export function bucketMs(bucket: number): number {
  return Number((SHORTEST_MS * 2 ** ((bucket - 0.5) / 2)).toPrecision(3))
}
