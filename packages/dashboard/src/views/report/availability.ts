// views/report/availability.ts: the share of healthy samples in a period, from the trend with the shortest
// cells that reaches back far enough. It covers whole cells, and says so.
import type { Trend, TrendWindow } from '../../data/trend.ts'
import { gridOf } from '../../trend/grid.ts'
import type { Period } from './period.ts'

export interface PeriodAvailability {
  readonly samples: number
  readonly healthy: number
  readonly cellMs: number
}

const dayMs = 86_400_000

/** Null if no trend goes back that far. */
export function windowFor({ fromMs }: Period, nowMs: number): TrendWindow | null {
  const agoMs = nowMs - fromMs
  if (agoMs <= dayMs) return '24h'
  if (agoMs <= 7 * dayMs) return '7d'
  if (agoMs <= 30 * dayMs) return '30d'
  return agoMs <= 90 * dayMs ? '90d' : null
}

/** Null if nothing was counted in it. */
export function availabilityIn(trend: Trend, { fromMs, toMs }: Period): PeriodAvailability | null {
  const { slots, cellMs } = gridOf(trend)
  let [samples, healthy] = [0, 0]
  for (const { cell, ...slot } of slots) {
    if (cell === null || slot.toMs <= fromMs || slot.fromMs >= toMs) continue
    samples += cell.samples
    healthy += cell.healthy
  }
  return samples === 0 ? null : { samples, healthy, cellMs }
}
