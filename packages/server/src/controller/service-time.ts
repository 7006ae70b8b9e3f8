// controller/service-time.ts: the service's own time as epoch milliseconds: anchored to the wall clock once and
// moved by the monotonic clock, so that a step of the wall clock changes no decision.
import type { Instant } from '../health/health.ts'
import type { Clock } from '../platform/clock.ts'

export class ServiceTime {
  readonly #clock: Clock
  readonly #offsetMs: number

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
}
