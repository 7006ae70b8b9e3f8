// controller/service-time.ts: the service's own time as epoch milliseconds: anchored to the wall clock once and
// moved by the monotonic clock, so that a step of the wall clock changes no decision.
import type { Instant } from '../health/health.ts'
import type { Clock } from '../platform/clock.ts'

export class ServiceTime {
  readonly #offsetMs: number

  constructor(clock: Clock) {
    this.#offsetMs = clock.wallMs() - clock.monotonicMs()
  }

  at(monotonicMs: number): Instant {
    return monotonicMs + this.#offsetMs
  }
}
