// status-pages/daily-uptime.ts: the daily bars of a component and its uptime, from the trends of its monitors. A component
// is the mean of its monitors, weighted by samples. A day without samples is unknown, and never counts as healthy.
export const shownDays = 90

/** Samples of the shown days, the oldest first. */
export class DailySamples {
  readonly samples = new Float64Array(shownDays)
  readonly healthy = new Float64Array(shownDays)

  add(day: number, samples: number, healthy: number): void {
    if (day < 0 || day >= shownDays) return
    this.samples[day] = this.samples[day]! + samples
    this.healthy[day] = this.healthy[day]! + healthy
  }

  addAll(other: DailySamples): void {
    for (let day = 0; day < shownDays; day++) this.add(day, other.samples[day]!, other.healthy[day]!)
  }
}

/**
 * Null without samples. Cut to what is shown, so that one more healthy check does not make a page new; what failed once
 * is never 1.
 */
export function shareOf(healthy: number, samples: number): number | null {
  return samples === 0 ? null : Math.floor((healthy / samples) * 10_000 + 1e-9) / 10_000
}

/** Of each day its share of healthy samples; null where nothing is known. */
export function daysOf({ samples, healthy }: DailySamples): (number | null)[] {
  return Array.from(samples, (count, day) => shareOf(healthy[day]!, count))
}

/** Of the last days, by default of all; null if nothing is known of any. */
export function uptimeOf({ samples, healthy }: DailySamples, days: number = shownDays): number | null {
  const sum = (counts: Float64Array) =>
    counts.subarray(shownDays - days).reduce((one, other) => one + other, 0)
  return shareOf(sum(healthy), sum(samples))
}
