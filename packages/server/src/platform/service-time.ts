// platform/service-time.ts: the service's own time as epoch milliseconds: anchored to the wall clock and advanced by the
// monotonic clock. When the wall clock is set, or the machine was suspended, it is anchored again; parts that keep
// instants move them by the same step, so that every duration continues as if the clock had never jumped.
import type { Clock } from './clock.ts'

/** Milliseconds since the epoch, by the service's own time. */
type Instant = number

export class ServiceTime {
  readonly #clock: Clock
  #offsetMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#offsetMs = clock.wallMs() - clock.monotonicMs()
  }

  now(): Instant {
    return this.at(this.#clock.monotonicMs())
  }

  at(monotonicMs: number): Instant {
    return monotonicMs + this.#offsetMs
  }

  monotonicMs(instant: Instant): number {
    return instant - this.#offsetMs
  }

  /** Returns the step by which all kept instants have to move; negative if the clock was set back. */
  anchorAgain(): number {
    const before = this.#offsetMs
    this.#offsetMs = this.#clock.wallMs() - this.#clock.monotonicMs()
    return this.#offsetMs - before
  }
}
