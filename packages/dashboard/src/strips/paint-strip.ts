// strips/paint-strip.ts: paints the last hours of a monitor: a bar for each cell and, where there is room, the latency as
// a line. Healthy bars are low and faint; failures are taller and at full hue, so that hue alone tells nothing.
import { looks } from '../components/status-words.ts'
import type { KnownTrend } from '../data/recent-trends.ts'
import type { Palette } from '../fleet-map/palette.ts'
import { stripCells } from './cells.ts'

export interface StripFrame {
  /** In pixels of the screen. */
  readonly width: number
  readonly height: number
  readonly ratio: number
  readonly palette: Palette
}

const quiet = 0.42
const healthyHeight = 0.62
const sparkShare = 0.36
const sparkGap = 14

export function paintStrip(
  context: CanvasRenderingContext2D,
  trend: KnownTrend,
  { intervalMs, hasSpark }: { readonly intervalMs: number; readonly hasSpark: boolean },
  frame: StripFrame,
): void {
  const { width, height, ratio } = frame
  context.clearRect(0, 0, width, height)
  const gap = hasSpark ? sparkGap * ratio : 0
  const barsWidth = Math.round((width - gap) * (hasSpark ? 1 - sparkShare : 1))
  paintBars(context, stripCells(trend, intervalMs), { ...frame, width: barsWidth })
  if (hasSpark) paintSpark(context, trend.p50_ms, barsWidth + gap, frame)
}

function paintBars(
  context: CanvasRenderingContext2D,
  cells: readonly (number | null)[],
  { width, height, ratio, palette }: StripFrame,
): void {
  const [up, incident] = [hue(palette, 'up'), hue(palette, 'incident')]
  const step = width / cells.length
  const gap = step >= 3 * ratio ? Math.max(1, Math.round(ratio)) : 0
  for (const [index, share] of cells.entries()) {
    const left = Math.round(index * step)
    const wide = Math.max(1, Math.round((index + 1) * step) - left - gap)
    if (share === null) {
      context.fillStyle = palette.label
      context.globalAlpha = 0.35
      context.fillRect(left, height - Math.round(2 * ratio), wide, Math.round(2 * ratio))
      continue
    }
    const healthy = Math.round(height * healthyHeight)
    context.globalAlpha = quiet
    context.fillStyle = up
    if (share > 0) context.fillRect(left, height - healthy, wide, healthy)
    if (share === 1) continue
    // A single failure among many checks is still to be seen.
    const failed = Math.round(height * Math.max(0.35, 1 - share))
    context.globalAlpha = 1
    context.fillStyle = incident
    context.fillRect(left, 0, wide, share === 0 ? height : failed)
  }
  context.globalAlpha = 1
}

/** From zero, so that lines of different monitors mean the same. */
function paintSpark(
  context: CanvasRenderingContext2D,
  values: readonly (number | null)[],
  left: number,
  { width, height, ratio, palette }: StripFrame,
): void {
  const most = Math.max(...values.map((value) => value ?? 0))
  if (most === 0) return
  const step = (width - left - ratio) / Math.max(1, values.length - 1)
  const room = height - 3 * ratio
  context.strokeStyle = palette.label
  context.lineWidth = 1.25 * ratio
  context.lineJoin = 'round'
  context.beginPath()
  let isDown = false
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isDown = false
      continue
    }
    const [x, y] = [left + index * step, height - 1.5 * ratio - (value / (most * 1.15)) * room]
    if (isDown) context.lineTo(x, y)
    else {
      // A value alone is a short dash.
      context.moveTo(x - ratio, y)
      context.lineTo(x, y)
    }
    isDown = true
  }
  context.stroke()
}

function hue({ hues }: Palette, look: (typeof looks)[number]): string {
  return hues[looks.indexOf(look)]!
}
