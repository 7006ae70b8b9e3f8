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

/** Of each day its share of healthy samples; null where nothing is known. */
export function daysOf({ samples, healthy }: DailySamples): (number | null)[] {
  return Array.from(samples, (count, day) => (count === 0 ? null : healthy[day]! / count))
}

/** Null if nothing is known of any day. */
export function uptimeOf({ samples, healthy }: DailySamples): number | null {
  const all = samples.reduce((sum, count) => sum + count, 0)
  return all === 0 ? null : healthy.reduce((sum, count) => sum + count, 0) / all
}
