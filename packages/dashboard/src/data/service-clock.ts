// data/service-clock.ts: the time of the service. Ages and dues are told against it, so that a browser whose clock is
// wrong does not show an incident of the future.
import { createStore, useStore } from '../store.ts'

/** The Date header has whole seconds and took a while to arrive: less than this does not count. */
const toleranceMs = 2_500
let offsetMs = 0
const tick = createStore(Date.now())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

export function hearServiceTime(dateHeader: string | null, nowMs = Date.now()): void {
  const serviceMs = dateHeader === null ? Number.NaN : Date.parse(dateHeader)
  if (Number.isNaN(serviceMs)) return
  const differenceMs = serviceMs - nowMs
  if (Math.abs(differenceMs - offsetMs) <= toleranceMs) return
  offsetMs = Math.abs(differenceMs) <= toleranceMs ? 0 : differenceMs
}

export function serviceNowMs(nowMs = Date.now()): number {
  return nowMs + offsetMs
}

/** The time of the service in milliseconds; changes once a second, together for all who watch. */
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
