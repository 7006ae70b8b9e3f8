// trend/trend.fixture.ts: a trend for tests: at 12:02 on 10 March 2026, with cells given by how many cells ago they are.
import type { Trend, TrendWindow } from '../data/trend.ts'

export const generatedMs = Date.UTC(2026, 2, 10, 12, 2)
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export interface GivenCell {
  readonly ago: number
  readonly samples?: number
  readonly healthy?: number
  readonly p50_ms?: number | null
  readonly p95_ms?: number | null
}

const cellSeconds: Readonly<Record<TrendWindow, number>> = {
  '1h': 60,
  '6h': 60,
  '24h': 300,
  '7d': 3_600,
  '30d': 3_600,
  '90d': 86_400,
}

export function trendWith(
  cells: readonly GivenCell[],
  parts: Partial<Trend> = {},
  window: TrendWindow = '24h',
): Trend {
  const cell_seconds = parts.cell_seconds ?? cellSeconds[window]
  const cellMs = cell_seconds * 1000
  const present = Math.floor(generatedMs / cellMs)
  return {
    generated: timeOf(generatedMs),
    window,
    cell_seconds,
    cells: cells
      .toSorted((a, b) => b.ago - a.ago)
      .map(({ ago, samples = 10, healthy = 10, p50_ms = 20, p95_ms = 40 }) => ({
        at: timeOf((present - ago) * cellMs),
        samples,
        healthy,
        p50_ms,
        p95_ms,
      })),
    availability: 1,
    incidents: [],
    maintenance: [],
    complete: false,
    ...parts,
  }
}

export function incident(openedMs: number, closedMs: number | null): Trend['incidents'][number] {
  return { opened_at: timeOf(openedMs), closed_at: closedMs === null ? null : timeOf(closedMs) }
}

export function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
