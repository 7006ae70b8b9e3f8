// telemetry/progress.ts: a tick each second that says the controller's thread still turns, also for an empty
// fleet. Readiness asks how long ago the last one was.
import type { Clock } from '../platform/clock.ts'

const tickMs = 1000

export class Progress {
  readonly #clock: Clock
  readonly #timer: NodeJS.Timeout
  #wallMs: number
  #monotonicMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#wallMs = clock.wallMs()
    this.#monotonicMs = clock.monotonicMs()
    this.#timer = setInterval(() => this.note(), tickMs)
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

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
