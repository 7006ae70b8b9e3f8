// trend/spans.ts: incidents and maintenance as stretches of the time that is drawn. Closed incidents are kept for a
// month, and no more than the newest thousand are told: where that leaves them unknown, they are not counted as none.
import { v1Limits } from '@pulseward/contract'
import type { ChartSpan } from '../components/chart-props.ts'
import type { Trend } from '../data/trend.ts'
import type { TrendGrid } from './grid.ts'

const keptMs = v1Limits.eventRetentionDays * 86_400_000

type Drawn = Pick<TrendGrid, 'fromMs' | 'toMs' | 'generatedMs'>

/** The earliest first. One that is open goes on until now. */
export function incidentSpans({ incidents }: Pick<Trend, 'incidents'>, drawn: Drawn): readonly ChartSpan[] {
  return spansWithin(
    incidents.map(({ opened_at, closed_at }) => ({
      fromMs: Date.parse(opened_at),
      toMs: closed_at === null ? drawn.generatedMs : Date.parse(closed_at),
    })),
    drawn,
  )
}

/** Null when the service does not tell it. */
export function maintenanceSpans(
  { maintenance }: Pick<Trend, 'maintenance'>,
  drawn: Drawn,
): readonly ChartSpan[] | null {
  if (maintenance === null) return null
  return spansWithin(
    maintenance.map(({ begins_at, ends_at }) => ({
      fromMs: Date.parse(begins_at),
      toMs: Date.parse(ends_at),
    })),
    drawn,
  )
}

/** Before that it is not known which incidents there were; at most the beginning of what is drawn. */
export function incidentsKnownSinceMs({ incidents }: Pick<Trend, 'incidents'>, drawn: Drawn): number {
  const keptSinceMs = drawn.generatedMs - keptMs
  const isCut = incidents.length >= v1Limits.trendIncidents
  const toldSinceMs = isCut ? Math.min(...incidents.map(({ opened_at }) => Date.parse(opened_at))) : 0
  return Math.max(drawn.fromMs, keptSinceMs, toldSinceMs)
}

/** The most incidents that were open at once in each slot; null where that is not known. */
export function openIncidents(trend: Pick<Trend, 'incidents'>, grid: TrendGrid): readonly (number | null)[] {
  const knownSinceMs = incidentsKnownSinceMs(trend, grid)
  const changes = changesOf(incidentSpans(trend, grid))
  let next = 0
  let open = 0
  return grid.slots.map((slot) => {
    while (next < changes.length && changes[next]!.atMs <= slot.fromMs) open += changes[next++]!.by
    let most = open
    while (next < changes.length && changes[next]!.atMs < slot.toMs) {
      open += changes[next++]!.by
      most = Math.max(most, open)
    }
    // A slot of which only the end is known is told by that.
    return slot.toMs <= knownSinceMs ? null : most
  })
}

/** By time; at the same time first what ends. A moment lasts a millisecond, so that it counts. */
function changesOf(spans: readonly ChartSpan[]) {
  return spans
    .flatMap(({ fromMs, toMs }) => [
      { atMs: fromMs, by: 1 },
      { atMs: Math.max(fromMs + 1, toMs), by: -1 },
    ])
    .sort((a, b) => a.atMs - b.atMs || a.by - b.by)
}

/** Of clocks that were set back something can end before it begins: that is a moment. */
function spansWithin(spans: readonly ChartSpan[], { fromMs, toMs }: Drawn): readonly ChartSpan[] {
  return spans
    .map((span) => ({ fromMs: span.fromMs, toMs: Math.max(span.fromMs, span.toMs) }))
    .filter((span) => span.toMs >= fromMs && span.fromMs < toMs)
    .map((span) => ({ fromMs: Math.max(fromMs, span.fromMs), toMs: Math.min(toMs, span.toMs) }))
    .sort((a, b) => a.fromMs - b.fromMs)
}
