// data/trend.ts: availability and latency over time, of one monitor or of the fleet. Absent in the edition that keeps
// nothing.
import type { Trend as TrendBody, TrendWindow } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

export type Trend = TrendBody
export type { TrendWindow }

/** Cells are at least a minute long, but the first should appear as soon as something was counted. */
function everyMs(trend: Trend | undefined): number | undefined {
  return trend === undefined || trend.cells.length > 0 ? 30_000 : undefined
}

/** The fleet's trend if `monitor` is null. */
export function useTrend(
  monitor: number | null,
  window: TrendWindow,
  { enabled = true }: { readonly enabled?: boolean } = {},
): Reading<Trend> {
  const path = monitor === null ? '/api/v1/trend' : `/api/v1/monitors/${monitor}/trend`
  return useReading('trend', path, { parameters: { window }, keepPrevious: true, everyMs, enabled })
}
