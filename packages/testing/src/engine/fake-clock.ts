// engine/fake-clock.ts: time that moves only when a test or the simulation moves it: the true time, and the two clocks
// that a process sees. The wall clock can be set. The monotonic clock restarts with each boot and stands still while the
// machine is suspended. No timer fires by itself: the harness runs the jobs (fake-timers.ts).
import type { Clock } from '@pulseward/server/internal/platform/clock.ts'

export interface FakeClockStart {
  /** Not 0 by default, so that a time that was never set differs from one that was. */
  readonly monotonicMs?: number
  readonly wallMs?: number
}

export class FakeClock implements Clock {
  #trueMs = 0
  #wallAheadMs: number
  #monotonicAheadMs: number

  constructor({ monotonicMs = 1_000_000, wallMs = Date.UTC(2026, 0, 1) }: FakeClockStart = {}) {
    this.#monotonicAheadMs = monotonicMs
    this.#wallAheadMs = wallMs
  }

  /** True time since the clock was made. For harnesses; the service must not see it. */
  get trueMs(): number {
    return this.#trueMs
  }

  monotonicMs(): number {
    return this.#trueMs + this.#monotonicAheadMs
  }

  wallMs(): number {
    return this.#trueMs + this.#wallAheadMs
  }

  /** The true time at which the monotonic clock shows this value. */
  trueMsOf(monotonicMs: number): number {
    return monotonicMs - this.#monotonicAheadMs
  }

  /** Time passes, on both clocks. */
  advance(ms: number): void {
    this.advanceTo(this.#trueMs + ms)
  }

  advanceTo(trueMs: number): void {
    if (trueMs < this.#trueMs) throw new RangeError(`time does not pass backwards (to ${trueMs} ms)`)
    this.#trueMs = trueMs
  }

  /** Sets the wall clock forward, or back with a negative number; no time passes. */
  jumpWall(ms: number): void {
    this.#wallAheadMs += ms
  }

  /** Time passes, but the monotonic clock stands still. */
  suspend(ms: number): void {
    this.#trueMs += ms
    this.#monotonicAheadMs -= ms
  }

  /** The machine boots: the monotonic clock continues from this value. */
  boot(monotonicMs: number): void {
    this.#monotonicAheadMs = monotonicMs - this.#trueMs
  }
}
