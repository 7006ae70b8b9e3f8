// trend/trend-words.ts: the charts of a trend in words: for people who do not see them, and for the pointer.
import type { Trend, TrendWindow } from '../data/trend.ts'
import { formatCount, plural } from '../format/count.ts'
import { formatDuration, formatMilliseconds } from '../format/duration.ts'
import { formatPercent } from '../format/percent.ts'
import { formatStretch } from '../format/time.ts'
import { availabilityPercent, countedIn, gapsIn, type TrendGrid, type TrendSlot } from './grid.ts'
import { incidentsKnownSinceMs } from './spans.ts'

export const windowWords: Readonly<Record<TrendWindow, string>> = {
  '1h': 'hour',
  '6h': '6 hours',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
}

export function availabilityInWords({ window, incidents }: Trend, grid: TrendGrid): string {
  const { samples, healthy } = countedIn(grid)
  if (samples === 0) return `Nothing was counted in the last ${windowWords[window]}.`
  const worst = worstOf(grid)
  return [
    `${formatPercent((healthy / samples) * 100, 3)} of ${plural(samples, 'sample')} in the last ${windowWords[window]} were healthy.`,
    worst === null ? '' : `The lowest was ${percentOf(worst)}, ${stretchOf(worst)}.`,
    `${plural(incidents.length, 'incident')} in that time.`,
    'The table has every figure.',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

export function latencyInWords({ window }: Trend, { slots }: TrendGrid): string {
  const measured = slots.filter(({ cell }) => cell?.p95_ms != null)
  const last = measured.at(-1)
  if (last === undefined) return `No healthy check was measured in the last ${windowWords[window]}.`
  const slowest = measured.reduce((most, slot) => (p95Of(slot) > p95Of(most) ? slot : most))
  return [
    `Latency of healthy checks in the last ${windowWords[window]}.`,
    `Most recently, half of them took up to ${formatMilliseconds(last.cell?.p50_ms ?? null)} and 95 % up to ${formatMilliseconds(p95Of(last))}.`,
    `At the slowest, 95 % took up to ${formatMilliseconds(p95Of(slowest))}, ${stretchOf(slowest)}.`,
    'The table has every figure.',
  ].join(' ')
}

export function incidentsInWords(open: readonly (number | null)[], window: TrendWindow): string {
  const known = open.filter((count) => count !== null)
  if (known.length === 0) return 'The incidents in this period are unknown.'
  return `At most ${plural(Math.max(...known), 'incident was', 'incidents were')} open at once in the last ${windowWords[window]}; ${formatCount(known.at(-1) ?? null)} now.`
}

/** What to know about the charts, each a sentence; most trends need none or one. */
export function notesOf(trend: Trend, grid: TrendGrid, isFleet: boolean): readonly string[] {
  const notes: string[] = []
  const gaps = gapsIn(grid)
  if (!trend.complete && gaps > 0)
    notes.push(
      `No data in ${formatCount(gaps)} of ${plural(grid.slots.length, 'cell')} of ${formatDuration(grid.cellMs)}.`,
    )
  const knownSinceMs = incidentsKnownSinceMs(trend, grid)
  if (knownSinceMs > grid.fromMs)
    notes.push(
      `Incidents are known for the last ${formatDuration(Math.floor((grid.generatedMs - knownSinceMs) / 3_600_000) * 3_600_000)} only.`,
    )
  if (!isFleet && trend.maintenance === null) notes.push('It has too many maintenance windows to draw.')
  if (trend.maintenance !== null && trend.maintenance.length > 0)
    notes.push('Maintenance is drawn as it is configured now.')
  return notes
}

/** For the slot under the pointer. */
export function slotInWords(slot: TrendSlot): string {
  const { cell } = slot
  const when = stretchOf(slot)
  if (cell === null) return `${when} · no data`
  return [
    when,
    `${percentOf(slot)} healthy, ${formatCount(cell.healthy)} of ${formatCount(cell.samples)}`,
    ...(cell.p50_ms === null ? [] : [`p50 ${formatMilliseconds(cell.p50_ms)}`]),
    ...(cell.p95_ms === null ? [] : [`p95 ${formatMilliseconds(cell.p95_ms)}`]),
  ].join(' · ')
}

function stretchOf({ fromMs, toMs }: TrendSlot): string {
  return formatStretch(fromMs, toMs)
}

function percentOf({ cell }: TrendSlot): string {
  return formatPercent(availabilityPercent(cell), 2)
}

function p95Of({ cell }: TrendSlot): number {
  return cell?.p95_ms ?? 0
}

/** Null if nothing failed. */
function worstOf({ slots }: TrendGrid): TrendSlot | null {
  let worst: TrendSlot | null = null
  for (const slot of slots) {
    const percent = availabilityPercent(slot.cell)
    if (percent === null || percent === 100) continue
    if (worst === null || percent < (availabilityPercent(worst.cell) ?? 100)) worst = slot
  }
  return worst
}
