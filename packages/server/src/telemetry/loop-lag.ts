// telemetry/loop-lag.ts: how late the controller's loop woke up, over the last thirty to sixty seconds. The loop tells it at
// every wake-up, so that measuring wakes nothing. Every thirty seconds the older of two histograms is emptied and becomes
// the younger; what is read is the older. It is to be read every few seconds: time between two reads stays in the
// histograms.
import { createHistogram } from 'node:perf_hooks'

const TURN_MS = 30_000
/** A histogram holds whole numbers from 1 on. */
const UNITS_A_MILLISECOND = 1_000

export interface LoopLag {
  readonly p99Ms: number
  /** A single stall is one sample, which a percentile of thousands does not show. */
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
    const late = 1 + Math.round(lateMs * UNITS_A_MILLISECOND)
    this.#older.record(late)
    this.#younger.record(late)
  }

  /** Null before anything was noted. */
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
  return Math.max(0, (late - 1) / UNITS_A_MILLISECOND)
}
