// data/service-clock.ts: the time of the service. Ages and due times are computed from it, so that a browser
// with a wrong clock does not show an incident in the future.
import { createStore, useStore } from '../store.ts'

/** The Date header has no milliseconds. */
const headerSpanMs = 1_000
/** Clocks that differ by less count as equal. */
const toleranceMs = 1_500
let offsetMs = 0
const tick = createStore(Date.now())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

/**
 * The service wrote its time between the request and the answer, so each answer bounds the offset from both sides, and a
 * slow one says little. An offset within the bounds is kept; any other is replaced by their middle.
 */
export function hearServiceTime(dateHeader: string | null, sentMs: number, answeredMs = Date.now()): void {
  const serviceMs = dateHeader === null ? Number.NaN : Date.parse(dateHeader)
  if (Number.isNaN(serviceMs)) return
  const least = serviceMs - answeredMs
  const most = serviceMs + headerSpanMs - sentMs
  const fits = (ms: number) => ms >= least - toleranceMs && ms <= most + toleranceMs
  if (!fits(offsetMs)) offsetMs = fits(0) ? 0 : (least + most) / 2
}

export function serviceNowMs(nowMs = Date.now()): number {
  return nowMs + offsetMs
}

/** The service's time in milliseconds; changes once per second, for all watchers together. */
export function useNowMs(): number {
  return useStore(second) + offsetMs
}

const second = {
  ...tick,
  watch(watcher: () => void) {
    const leave = tick.watch(watcher)
    if (watchers++ === 0) {
      timer = setInterval(() => tick.set(Date.now()), 1_000)
      tick.set(Date.now())
    }
    return () => {
      leave()
      if (--watchers === 0) clearInterval(timer)
    }
  },
}
