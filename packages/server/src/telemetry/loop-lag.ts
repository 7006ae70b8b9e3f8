// telemetry/loop-lag.ts: how late the controller's loop woke up, over the last 30 to 60 seconds. The loop reports every
// wake-up itself, so that measuring causes no extra wake-ups. Every 30 seconds the older of two histograms is emptied and
// becomes the younger; reads use the older. Call `observe` every few seconds: the histograms are swapped only then.
import { createHistogram } from 'node:perf_hooks'

const TURN_MS = 30_000
/** A histogram takes whole numbers from 1. */
const UNITS_PER_MILLISECOND = 1_000

export interface LoopLag {
  readonly p99Ms: number
  /** A single stall is one sample, which a percentile over thousands does not show. */
  readonly maxMs: number
}

export class LoopLagMeter {
  #older = createHistogram()
  #younger = createHistogram()
  #turnedMs: number

  constructor(nowMs: number) {
    this.#turnedMs = nowMs
  }

  note(lateMs: number): void {
    const late = 1 + Math.round(lateMs * UNITS_PER_MILLISECOND)
    this.#older.record(late)
    this.#younger.record(late)
  }

  /** Null before the first wake-up. */
  observe(nowMs: number): LoopLag | null {
    if (nowMs - this.#turnedMs >= TURN_MS) this.#turn(nowMs)
    if (this.#older.count === 0) return null
    return { p99Ms: inMs(this.#older.percentile(99)), maxMs: inMs(this.#older.max) }
  }

  #turn(nowMs: number): void {
    this.#older.reset()
    ;[this.#older, this.#younger] = [this.#younger, this.#older]
    this.#turnedMs = nowMs
  }
}

function inMs(late: number): number {
  return Math.max(0, (late - 1) / UNITS_PER_MILLISECOND)
}
