// bench/schedule-delay.ts: how late checks were started between two readings of the service's own histogram.

interface Bucket {
  readonly atMostMs: number
  readonly count: number
}

export async function readDelays(url: string): Promise<readonly Bucket[]> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return [...text.matchAll(/^pulseward_schedule_delay_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm)].map(
    ([, bound, count]) => ({
      atMostMs: bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound) * 1000,
      count: Number(count),
    }),
  )
}

/** Interpolated within its bucket; null if nothing was started meanwhile. */
export function delayBetween(
  before: readonly Bucket[],
  after: readonly Bucket[],
  share: number,
): number | null {
  const counts = after.map(({ count }, index) => count - (before[index]?.count ?? 0))
  const total = counts.at(-1) ?? 0
  if (total === 0) return null
  const index = counts.findIndex((count) => count >= total * share)
  const lower = index === 0 ? 0 : after[index - 1]!.atMostMs
  const upper = after[index]!.atMostMs
  if (upper === Number.POSITIVE_INFINITY) return lower
  const below = index === 0 ? 0 : counts[index - 1]!
  return lower + ((total * share - below) / (counts[index]! - below)) * (upper - lower)
}

/** How late checks were started while the work runs, 99th percentile. */
export async function scheduleDelay(url: string, work: () => Promise<unknown>): Promise<number | null> {
  const before = await readDelays(url)
  await work()
  return delayBetween(before, await readDelays(url), 0.99)
}
