// trend/spans.ts: incidents and maintenance as spans of the drawn time. Closed incidents are kept for a month, and the
// service lists only the newest thousand: before that, incidents are unknown, which is not the same as none.
import { v1Limits } from '@pulseward/contract'
import type { ChartSpan } from '../components/chart-props.ts'
import type { Trend } from '../data/trend.ts'
import type { TrendGrid } from './grid.ts'

const keptMs = v1Limits.eventRetentionDays * 86_400_000

type Drawn = Pick<TrendGrid, 'fromMs' | 'toMs' | 'generatedMs'>

/** Earliest first. An open incident lasts until now. */
export function incidentSpans({ incidents }: Pick<Trend, 'incidents'>, drawn: Drawn): readonly ChartSpan[] {
  return spansWithin(
    incidents.map(({ opened_at, closed_at }) => ({
      fromMs: Date.parse(opened_at),
      toMs: closed_at === null ? drawn.generatedMs : Date.parse(closed_at),
    })),
    drawn,
  )
}

/** Null if the service does not report it. */
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

/** Before this time the incidents are unknown; not earlier than the start of the chart. */
export function incidentsKnownSinceMs({ incidents }: Pick<Trend, 'incidents'>, drawn: Drawn): number {
  const keptSinceMs = drawn.generatedMs - keptMs
  const isCut = incidents.length >= v1Limits.trendIncidents
  const toldSinceMs = isCut ? Math.min(...incidents.map(({ opened_at }) => Date.parse(opened_at))) : 0
  return Math.max(drawn.fromMs, keptSinceMs, toldSinceMs)
}

/** The highest number of simultaneously open incidents per slot; null if unknown. */
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
    // A slot that is known only at its end counts with that part.
    return slot.toMs <= knownSinceMs ? null : most
  })
}

/** Sorted by time, ends before starts. A span without length lasts a millisecond, so that it counts. */
function changesOf(spans: readonly ChartSpan[]) {
  return spans
    .flatMap(({ fromMs, toMs }) => [
      { atMs: fromMs, by: 1 },
      { atMs: Math.max(fromMs + 1, toMs), by: -1 },
    ])
    .sort((a, b) => a.atMs - b.atMs || a.by - b.by)
}

/** If a clock was set back, an end can precede its start: such a span has no length. */
function spansWithin(spans: readonly ChartSpan[], { fromMs, toMs }: Drawn): readonly ChartSpan[] {
  return spans
    .map((span) => ({ fromMs: span.fromMs, toMs: Math.max(span.fromMs, span.toMs) }))
    .filter((span) => span.toMs >= fromMs && span.fromMs < toMs)
    .map((span) => ({ fromMs: Math.max(fromMs, span.fromMs), toMs: Math.min(toMs, span.toMs) }))
    .sort((a, b) => a.fromMs - b.fromMs)
}
