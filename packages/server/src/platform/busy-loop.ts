// platform/busy-loop.ts: whether this thread has time to spare. Looks at its event loop only when it is asked.
import { performance } from 'node:perf_hooks'
import type { Clock } from './clock.ts'

/** Shorter times say little. */
const lookEveryMs = 250
const busyShare = 0.8

export class BusyLoop {
  readonly #clock: Clock
  #since = performance.eventLoopUtilization()
  #sinceMs: number
  #isBusy = false

  constructor(clock: Clock) {
    this.#clock = clock
    this.#sinceMs = clock.monotonicMs()
  }

  /** Of the time since it was last found out. */
  get isBusy(): boolean {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#sinceMs < lookEveryMs) return this.#isBusy
    this.#isBusy = performance.eventLoopUtilization(this.#since).utilization > busyShare
    this.#since = performance.eventLoopUtilization()
    this.#sinceMs = nowMs
    return this.#isBusy
  }
}
