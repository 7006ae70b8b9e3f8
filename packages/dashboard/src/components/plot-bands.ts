// components/plot-bands.ts: periods of time behind the lines of a plot. Looks differ by more than their hue:
// a tint has a bar on top, a hatch has lines. A period too short to be seen is widened.
import type UPlot from 'uplot'
import type { ChartBand } from './chart-props.ts'

const leastPixels = 2
const barPixels = 3
const hatchPixels = 6

export function drawBands(plot: UPlot, bands: readonly ChartBand[], color: (token: string) => string): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { hue, look, spans } of bands) {
    ctx.fillStyle = color(hue)
    ctx.strokeStyle = color(hue)
    for (const { fromMs, toMs } of spans) {
      const left = plot.valToPos(fromMs / 1000, 'x', true)
      const right = plot.valToPos(toMs / 1000, 'x', true)
      const width = Math.max(leastPixels * ratio, right - left)
      if (look === 'tint') drawTint(ctx, { left, width, ...heightOf(bbox) }, ratio)
      else drawHatch(ctx, { left, width, ...heightOf(bbox) }, ratio)
    }
  }
  ctx.restore()
}

interface Box {
  readonly left: number
  readonly width: number
  readonly top: number
  readonly height: number
}

function heightOf({ top, height }: UPlot.BBox) {
  return { top, height }
}

function drawTint(ctx: CanvasRenderingContext2D, { left, top, width, height }: Box, ratio: number): void {
  ctx.globalAlpha = 0.16
  ctx.fillRect(left, top, width, height)
  ctx.globalAlpha = 1
  ctx.fillRect(left, top, width, barPixels * ratio)
}

function drawHatch(ctx: CanvasRenderingContext2D, { left, top, width, height }: Box, ratio: number): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, height)
  ctx.clip()
  ctx.globalAlpha = 0.12
  ctx.fillRect(left, top, width, height)
  ctx.globalAlpha = 0.6
  ctx.lineWidth = ratio
  ctx.beginPath()
  const step = hatchPixels * ratio
  // At multiples of the step, so that the hatches of adjacent periods join.
  for (let x = Math.floor((left - height) / step) * step; x < left + width; x += step) {
    ctx.moveTo(x, top + height)
    ctx.lineTo(x + height, top)
  }
  ctx.stroke()
  ctx.restore()
}
