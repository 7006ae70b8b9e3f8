// telemetry/loop-lag.ts: how late the event loop runs its timers, over the last thirty to sixty seconds. Two native
// histograms sample all the time, and every thirty seconds the older one is emptied and becomes the younger; what
// is read is the older. It is to be read every few seconds: time between two reads stays in the histograms.
// Disposing stops the sampling.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const TURN_MS = 30_000
/** The sampling timers fire this far apart; the histogram's delays include it. */
const RESOLUTION_MS = 100
const NANOSECONDS_A_MILLISECOND = 1e6

export interface LoopLag {
  readonly p99Ms: number
  /** A single stall is one sample, which a percentile of thousands does not show. */
  readonly maxMs: number
}

export class LoopLagMeter implements Disposable {
  #older = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  #younger = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  #turnedMs: number

  constructor(nowMs: number) {
    this.#turnedMs = nowMs
    this.#older.enable()
    this.#younger.enable()
  }

  /** Null before anything was sampled. */
  observe(nowMs: number): LoopLag | null {
    if (nowMs - this.#turnedMs >= TURN_MS) this.#turn(nowMs)
    if (this.#older.count === 0) return null
    return { p99Ms: lagMs(this.#older.percentile(99)), maxMs: lagMs(this.#older.max) }
  }

  [Symbol.dispose](): void {
    this.#older.disable()
    this.#younger.disable()
  }

  #turn(nowMs: number): void {
    this.#older.reset()
    ;[this.#older, this.#younger] = [this.#younger, this.#older]
    this.#turnedMs = nowMs
  }
}

function lagMs(delayNanoseconds: number): number {
  return Math.max(0, delayNanoseconds / NANOSECONDS_A_MILLISECOND - RESOLUTION_MS)
}
