// trend/trend-csv.ts: the data of a trend as CSV: one line per cell, gaps with empty figures, then one per
// incident and maintenance window. Times are in the form of the wire, so that other programs can read them.
import type { Trend } from '../data/trend.ts'
import { type CsvValue, csvOf } from '../format/csv.ts'
import { availabilityPercent, gridOf } from './grid.ts'
import { incidentSpans, maintenanceSpans } from './spans.ts'

/** Whose trend it is; null for the fleet. */
export interface TrendSubject {
  readonly id: number
  readonly monitorId: string | null
  readonly name: string
}

const columns = [
  ...(['monitor_id', 'name', 'kind', 'from', 'to'] as const),
  ...(['samples', 'healthy', 'availability_percent', 'p50_ms', 'p95_ms'] as const),
]

export function trendAsCsv(trend: Trend, subject: TrendSubject | null): string {
  const grid = gridOf(trend)
  const whose: readonly CsvValue[] = [subject?.monitorId, subject?.name]
  const during = (kind: string, fromMs: number, toMs: number): readonly CsvValue[] => [
    ...whose,
    kind,
    timeOf(fromMs),
    timeOf(toMs),
  ]
  const unmeasured = [null, null, null, null, null]
  return csvOf(columns, [
    ...grid.slots.map(({ fromMs, toMs, cell }) => [
      ...during('cell', fromMs, toMs),
      ...(cell === null
        ? unmeasured
        : [cell.samples, cell.healthy, availabilityPercent(cell), cell.p50_ms, cell.p95_ms]),
    ]),
    ...incidentSpans(trend, grid).map(({ fromMs, toMs }) => [
      ...during('incident', fromMs, toMs),
      ...unmeasured,
    ]),
    ...(maintenanceSpans(trend, grid) ?? []).map(({ fromMs, toMs }) => [
      ...during('maintenance', fromMs, toMs),
      ...unmeasured,
    ]),
  ])
}

/** Named by the monitor's number, never by its name, which is untrusted. */
export function trendFileName(trend: Trend, subject: TrendSubject | null): string {
  const whose = subject === null ? 'fleet' : `monitor-${subject.id}`
  return `trend-${whose}-${trend.window}-${trend.generated.slice(0, 10)}.csv`
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
