// engine/fake-timers.ts: the timers of an engine's loop in fake time. A harness starts the real loop with
// them and decides when each job runs; the periods that the loop requests are ignored.
import type { Job, RepeatedJob, Timers } from '@pulseward/server/internal/engine/controller-loop.ts'

/** The periods of a busy fleet. */
const periodsMs: Readonly<Record<Job, number>> = { tick: 10, adapt: 250, second: 1000 }

/** The step by which time advances in tests. */
export const tickMs = periodsMs.tick

export class FakeTimers implements Timers {
  readonly #work = new Map<Job, () => void>()
  readonly #stepMs: number
  #elapsedMs = 0

  /** stepMs: the time between two calls of runDue; jobs with a shorter period run once in it. */
  constructor(stepMs = tickMs) {
    this.#stepMs = stepMs
  }

  repeat(job: Job, _periodMs: () => number, work: () => void): RepeatedJob {
    this.#work.set(job, work)
    return { reconsider: () => {}, [Symbol.dispose]: () => this.#work.delete(job) }
  }

  /** Runs a job now, unless its loop has ended. */
  run(job: Job): void {
    this.#work.get(job)?.()
  }

  /** A step has passed: runs the given jobs that are due now. */
  runDue(jobs: readonly Job[]): void {
    this.#elapsedMs += this.#stepMs
    for (const job of jobs) if (this.isDue(job)) this.run(job)
  }

  isDue(job: Job): boolean {
    return this.#elapsedMs % Math.max(periodsMs[job], this.#stepMs) === 0
  }
}
