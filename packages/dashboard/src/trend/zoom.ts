// trend/zoom.ts: a part of a window, as the URL has it, and what of a trend falls into it. Cells stay whole. The part stays
// where it is while time goes on.
import type { TrendWindow } from '../data/trend.ts'
import { type TrendGrid, windowMs } from './grid.ts'

export interface Zoom {
  readonly fromMs: number
  readonly toMs: number
}

/** Fewer cells say nothing as a chart. */
const leastCells = 3

/** Null if it is not one. */
export function parseZoom(text: string | null): Zoom | null {
  const [, from, to] = /^(\d{1,12})-(\d{1,12})$/.exec(text ?? '') ?? []
  if (from === undefined || to === undefined) return null
  const zoom = { fromMs: Number(from) * 1000, toMs: Number(to) * 1000 }
  return zoom.fromMs < zoom.toMs ? zoom : null
}

export function zoomText({ fromMs, toMs }: Zoom): string {
  return `${Math.floor(fromMs / 1000)}-${Math.ceil(toMs / 1000)}`
}

/** The cells that the part touches; the whole grid if those are too few, as where its time is over. */
export function zoomed(grid: TrendGrid, zoom: Zoom | null): TrendGrid {
  if (zoom === null) return grid
  const slots = grid.slots.filter(({ fromMs, toMs }) => toMs > zoom.fromMs && fromMs < zoom.toMs)
  const [first, last] = [slots[0], slots.at(-1)]
  if (first === undefined || last === undefined || slots.length < leastCells) return grid
  return { ...grid, slots, fromMs: first.fromMs, toMs: last.toMs }
}

/** The part as it can be shown: within the window, and wide enough. */
export function fitted(grid: TrendGrid, { fromMs, toMs }: Zoom): Zoom | null {
  const least = leastCells * grid.cellMs
  const lengthMs = Math.min(Math.max(toMs - fromMs, least), grid.toMs - grid.fromMs)
  const middle = (fromMs + toMs) / 2
  const begin = Math.min(Math.max(middle - lengthMs / 2, grid.fromMs), grid.toMs - lengthMs)
  const isWhole = lengthMs >= grid.toMs - grid.fromMs
  return isWhole ? null : { fromMs: begin, toMs: begin + lengthMs }
}

/** The window with the finest cells that reaches back to the part. */
export function windowFor({ fromMs }: Zoom, { generatedMs }: TrendGrid, present: TrendWindow): TrendWindow {
  const finer = (['1h', '6h', '24h', '7d', '30d'] as const).find(
    (window) => generatedMs - fromMs < windowMs[window],
  )
  return finer === undefined || windowMs[finer] > windowMs[present] ? present : finer
}

/** Half as much around the middle; of the whole window, its last quarter, where people look first. */
export function closer(grid: TrendGrid, zoom: Zoom | null): Zoom | null {
  if (zoom === null) {
    const lengthMs = (grid.toMs - grid.fromMs) / 4
    return fitted(grid, { fromMs: grid.toMs - lengthMs, toMs: grid.toMs })
  }
  const quarter = (zoom.toMs - zoom.fromMs) / 4
  return fitted(grid, { fromMs: zoom.fromMs + quarter, toMs: zoom.toMs - quarter })
}

/** By half of its length; negative for earlier. */
export function shifted(grid: TrendGrid, { fromMs, toMs }: Zoom, direction: 1 | -1): Zoom | null {
  const byMs = (direction * (toMs - fromMs)) / 2
  return fitted(grid, { fromMs: fromMs + byMs, toMs: toMs + byMs })
}
