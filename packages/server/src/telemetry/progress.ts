// telemetry/progress.ts: when the engine's loop last ran, which it does once per second even for an empty
// fleet. Readiness depends on how long ago that was.
import type { Clock } from '../platform/clock.ts'

export class Progress {
  readonly #clock: Clock
  #wallMs: number
  #monotonicMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#wallMs = clock.wallMs()
    this.#monotonicMs = clock.monotonicMs()
  }

  note(): void {
    this.#wallMs = this.#clock.wallMs()
    this.#monotonicMs = this.#clock.monotonicMs()
  }

  /** For display. */
  get atMs(): number {
    return this.#wallMs
  }

  /** Monotonic, so that a stepped wall clock neither hides nor fakes a stall. */
  get ageMs(): number {
    return this.#clock.monotonicMs() - this.#monotonicMs
  }
}
