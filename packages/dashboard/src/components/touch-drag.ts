// components/touch-drag.ts: a finger on a plot. Sideways it marks a stretch of time, as a mouse does; up and down it scrolls
// the page; a tap shows the figures of that time. The library of the plot knows only the mouse.
import type UPlot from 'uplot'
import { markPixels, moveTogether } from './plot-pointer.ts'

/** Sooner it may still become a scroll, or is a tap. */
const leastPixels = 10

type PointerAct = (event: PointerEvent) => void

/** `done` gets the marked stretch in pixels of the plot. Ends with `signal`. */
export function followTouch(
  plot: UPlot,
  done: ((left: number, right: number) => void) | null,
  signal: AbortSignal,
): void {
  const { over } = plot
  let from: number | null = null
  const placeOf = ({ clientX }: PointerEvent) => {
    const { left, width } = over.getBoundingClientRect()
    return Math.min(Math.max(clientX - left, 0), width)
  }
  const listen = (type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel', act: PointerAct) =>
    over.addEventListener(type, (event) => event.pointerType !== 'mouse' && event.isPrimary && act(event), {
      signal,
    })
  // Sideways movement comes to us, the rest stays with the browser.
  over.style.touchAction = 'pan-y pinch-zoom'
  listen('pointerdown', (event) => {
    from = placeOf(event)
    moveTogether(plot, from)
  })
  listen('pointermove', (event) => {
    if (from === null) return
    const to = placeOf(event)
    moveTogether(plot, to)
    if (done !== null && Math.abs(to - from) >= leastPixels) markPixels(plot, from, to)
  })
  listen('pointerup', (event) => {
    const [begin, end] = [from, placeOf(event)]
    from = null
    markPixels(plot, 0, 0)
    if (begin !== null && Math.abs(end - begin) >= leastPixels)
      done?.(Math.min(begin, end), Math.max(begin, end))
  })
  listen('pointercancel', () => {
    from = null
    markPixels(plot, 0, 0)
  })
}
