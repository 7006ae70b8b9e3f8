// strips/cells.ts: what a strip shows of a monitor's last hours. A cell without checks says nothing, unless the monitor
// is checked more seldom than cells begin: then the last check still counts.
import type { KnownTrend } from '../data/recent-trends.ts'
import { formatDuration } from '../format/duration.ts'
import { formatPercent } from '../format/percent.ts'

type Counted = Pick<KnownTrend, 'samples' | 'healthy' | 'cellSeconds'>

/** The healthy share of each cell, the oldest first; null where nothing is known. */
export function stripCells(
  { samples, healthy, cellSeconds }: Counted,
  intervalMs: number,
): readonly (number | null)[] {
  const lastsFor = Math.ceil(intervalMs / (cellSeconds * 1000))
  let last: number | null = null
  let age = 0
  return samples.map((count, index) => {
    age++
    if (count > 0) {
      last = healthy[index]! / count
      age = 0
    }
    return age < lastsFor || age === 0 ? last : null
  })
}

/** For people who do not see the strip. */
export function stripInWords({ samples, healthy, cellSeconds }: Counted): string {
  const total = samples.reduce((sum, count) => sum + count, 0)
  const span = formatDuration(samples.length * cellSeconds * 1000)
  if (total === 0) return 'No checks were counted lately'
  const share = (100 * healthy.reduce((sum, count) => sum + count, 0)) / total
  return `${formatPercent(share, 2)} of checks in the last ${span} were healthy`
}
