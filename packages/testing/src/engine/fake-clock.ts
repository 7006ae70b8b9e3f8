// engine/fake-clock.ts: time that moves only when a test says so. Both clocks advance together; the wall clock can
// also be set, as people and time servers do. It fires no timers: whoever is under test is told to look at it.
import type { Clock } from '@pulseward/server/internal/platform/clock.ts'

export interface FakeClockStart {
  /** Not 0 by default, so that a time that was never set is told from one that was. */
  readonly monotonicMs?: number
  readonly wallMs?: number
}

export class FakeClock implements Clock {
  #monotonicMs: number
  #wallMs: number

  constructor(start: FakeClockStart = {}) {
    this.#monotonicMs = start.monotonicMs ?? 1_000_000
    this.#wallMs = start.wallMs ?? Date.UTC(2026, 0, 1)
  }

  monotonicMs(): number {
    return this.#monotonicMs
  }

  wallMs(): number {
    return this.#wallMs
  }

  /** Time passes. */
  advance(ms: number): void {
    if (ms < 0) throw new RangeError(`time does not pass backwards (${ms} ms)`)
    this.#monotonicMs += ms
    this.#wallMs += ms
  }

  /** The wall clock is set forward, or back with a negative number; no time passes. */
  jumpWall(ms: number): void {
    this.#wallMs += ms
  }
}
