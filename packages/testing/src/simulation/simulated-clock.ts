// simulation/simulated-clock.ts: true time, and the two clocks that a process sees of it. The wall clock can be wrong;
// the monotonic clock begins somewhere else in every process and stands still while the machine is suspended.
import type { Clock } from '@pulseward/server/internal/platform/clock.ts'

export class SimulatedClock implements Clock {
  #trueMs = 0
  #wallAheadMs: number
  #monotonicAheadMs = 0

  constructor(wallMs: number) {
    this.#wallAheadMs = wallMs
  }

  /** Since the beginning of the simulation; nothing that is simulated may look at it. */
  get trueMs(): number {
    return this.#trueMs
  }

  monotonicMs(): number {
    return this.#trueMs + this.#monotonicAheadMs
  }

  wallMs(): number {
    return this.#trueMs + this.#wallAheadMs
  }

  /** When true time will be what a process calls so. */
  trueMsOf(monotonicMs: number): number {
    return monotonicMs - this.#monotonicAheadMs
  }

  advanceTo(trueMs: number): void {
    if (trueMs < this.#trueMs) throw new RangeError(`time does not pass backwards (${trueMs})`)
    this.#trueMs = trueMs
  }

  jumpWall(ms: number): void {
    this.#wallAheadMs += ms
  }

  /** Time passes that the monotonic clock does not see. */
  suspend(ms: number): void {
    this.#trueMs += ms
    this.#monotonicAheadMs -= ms
  }

  /** Another process begins, perhaps after the machine did. */
  boot(monotonicMs: number): void {
    this.#monotonicAheadMs = monotonicMs - this.#trueMs
  }
}
