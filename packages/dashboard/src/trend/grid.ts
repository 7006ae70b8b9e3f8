// trend/grid.ts: a trend on the regular grid of its window. The wire leaves out cells in which nothing was
// counted; here they are present and empty, so that they are drawn, listed and saved as gaps, never as zeros.
import type { TrendCell } from '@pulseward/contract'
import type { Trend } from '../data/trend.ts'

export interface TrendGrid {
  readonly fromMs: number
  /** The end of the current cell. */
  readonly toMs: number
  readonly cellMs: number
  readonly generatedMs: number
  readonly slots: readonly TrendSlot[]
}

export interface TrendSlot {
  readonly fromMs: number
  readonly toMs: number
  /** Null if nothing was counted. */
  readonly cell: TrendCell | null
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
export const windowMs = {
  '1h': hourMs,
  '6h': 6 * hourMs,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
} as const

export function gridOf({ generated, window, cell_seconds, cells }: Trend): TrendGrid {
  const cellMs = cell_seconds * 1000
  const generatedMs = Date.parse(generated)
  const count = Math.max(1, Math.round(windowMs[window] / cellMs))
  // Cells start at multiples of their length since 1970, like those of the service.
  const toMs = (Math.floor(generatedMs / cellMs) + 1) * cellMs
  const fromMs = toMs - count * cellMs
  const byNumber = new Map(cells.map((cell) => [Math.floor(Date.parse(cell.at) / cellMs), cell]))
  const slots = Array.from({ length: count }, (_, index) => {
    const slotFromMs = fromMs + index * cellMs
    const cell = byNumber.get(slotFromMs / cellMs) ?? null
    return { fromMs: slotFromMs, toMs: slotFromMs + cellMs, cell }
  })
  return { fromMs, toMs, cellMs, generatedMs, slots }
}

/** Healthy samples out of all, in percent; null if there were none. */
export function availabilityPercent(cell: TrendCell | null): number | null {
  return cell === null || cell.samples === 0 ? null : (cell.healthy / cell.samples) * 100
}

export function countedIn({ slots }: TrendGrid): { readonly samples: number; readonly healthy: number } {
  let [samples, healthy] = [0, 0]
  for (const { cell } of slots) {
    samples += cell?.samples ?? 0
    healthy += cell?.healthy ?? 0
  }
  return { samples, healthy }
}

/** Slots without data, except the current one, which may have just begun. */
export function gapsIn({ slots }: TrendGrid): number {
  return slots.slice(0, -1).filter(({ cell }) => cell === null).length
}
