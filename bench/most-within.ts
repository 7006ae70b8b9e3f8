// bench/most-within.ts: how many of some times fall into one span.

export const minuteMs = 60_000

/** The largest number of these ascending times in any span of this length. */
export function mostWithin(times: readonly number[], spanMs: number): number {
  let most = 0
  for (let from = 0, to = 0; to < times.length; to++) {
    while (times[to]! - times[from]! >= spanMs) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}
