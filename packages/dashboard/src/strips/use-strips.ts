// strips/use-strips.ts: paints the strips inside an element after it was rendered and when their data arrives. A strip is
// painted again only if its monitor, its data, its size or the theme has changed.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useKeepsHistory } from '../data/config.ts'
import { type KnownTrend, recentTrendOf, recentTrends, watchRecentTrends } from '../data/recent-trends.ts'
import { readPalette } from '../fleet-map/palette.ts'
import { useIsDark } from '../theme/appearance.ts'
import { stripInWords } from './cells.ts'
import { paintStrip, type StripFrame } from './paint-strip.ts'

interface Painted {
  readonly id: string | undefined
  readonly trend: KnownTrend | null
  readonly frame: StripFrame
}

/** Asks for nothing where nothing is kept. `ids`: the monitors in sight; `isMoving`: they are passing by, so nothing is asked for. */
export function useStrips(
  container: RefObject<HTMLElement | null>,
  ids: readonly number[],
  isMoving = false,
): void {
  const isDark = useIsDark()
  const painter = useRef<StripPainter>(null)
  painter.current ??= new StripPainter()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colors.
  useLayoutEffect(() => painter.current?.forgetFrame(), [isDark])
  useLayoutEffect(() => painter.current?.paint(container.current))
  useEffect(() => {
    const paint = () => painter.current?.paint(container.current)
    const leave = recentTrends.watch(paint)
    const resized = new ResizeObserver(() => {
      painter.current?.forgetFrame()
      paint()
    })
    if (container.current !== null) resized.observe(container.current)
    return () => {
      leave()
      resized.disconnect()
      watchRecentTrends([])
    }
  }, [container])
  const inSight = useKeepsHistory() === true ? ids.join(',') : ''
  useEffect(() => {
    if (!isMoving) watchRecentTrends(inSight === '' ? [] : inSight.split(',').map(Number))
  }, [inSight, isMoving])
}

class StripPainter {
  readonly #painted = new WeakMap<HTMLCanvasElement, Painted>()
  /** All strips of a container have one size, which is measured once: reading it lays the page out. */
  #frame: StripFrame | null = null

  forgetFrame(): void {
    this.#frame = null
  }

  paint(container: HTMLElement | null): void {
    for (const canvas of container?.querySelectorAll<HTMLCanvasElement>('canvas[data-monitor]') ?? []) {
      this.#frame ??= frameOf(canvas)
      this.#paintOne(canvas, this.#frame)
    }
  }

  #paintOne(canvas: HTMLCanvasElement, frame: StripFrame): void {
    const { monitor: id, interval, spark } = canvas.dataset
    const trend = recentTrendOf(Number(id))
    const before = this.#painted.get(canvas)
    if (before?.id === id && before?.trend === trend && before?.frame === frame) return
    this.#painted.set(canvas, { id, trend, frame })
    if (canvas.width !== frame.width) canvas.width = frame.width
    if (canvas.height !== frame.height) canvas.height = frame.height
    const context = canvas.getContext('2d')
    if (context === null) return
    if (trend === null) {
      if (before !== undefined) context.clearRect(0, 0, frame.width, frame.height)
      canvas.setAttribute('aria-label', 'The last hours are not known yet')
      return
    }
    paintStrip(context, trend, { intervalMs: Number(interval), hasSpark: spark !== undefined }, frame)
    canvas.setAttribute('aria-label', stripInWords(trend))
  }
}

function frameOf(canvas: HTMLCanvasElement): StripFrame {
  const ratio = devicePixelRatio
  const { width, height } = canvas.getBoundingClientRect()
  return {
    width: Math.max(1, Math.round(width * ratio)),
    height: Math.max(1, Math.round(height * ratio)),
    ratio,
    palette: readPalette(canvas),
  }
}
