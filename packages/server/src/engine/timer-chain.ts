// engine/timer-chain.ts: the jobs of a loop behind one timer of the system, which is set to the job that is due first. Each
// wake-up of the process costs more than most jobs do, so a job that may run early does so when the process is awake
// anyway. How late the timer was is told to whoever measures the loop.
import type { Clock } from '../platform/clock.ts'
import type { Job, RepeatedJob, Timers } from './controller-loop.ts'

/** The share of its period by which a job may come early: a tick finds nothing then, and histories keep their distance. */
const earliness: Readonly<Record<Job, number>> = { tick: 1, adapt: 0.5, second: 0 }

/** Timers of the system count whole milliseconds of a clock that is cut off, and may fire that much early. */
const timerErrorMs = 1

interface PlannedJob {
  readonly periodMs: () => number
  readonly work: () => void
  readonly earliness: number
  earliestMs: number
  dueMs: number
}

export class TimerChain implements Timers {
  readonly #clock: Clock
  readonly #onLate: (lateMs: number) => void
  readonly #jobs = new Set<PlannedJob>()
  #timer: NodeJS.Timeout | undefined
  #armedForMs = Number.POSITIVE_INFINITY
  #isAwake = false

  constructor(clock: Clock, onLate: (lateMs: number) => void) {
    this.#clock = clock
    this.#onLate = onLate
  }

  repeat(job: Job, periodMs: () => number, work: () => void): RepeatedJob {
    const planned = { periodMs, work, earliness: earliness[job], earliestMs: 0, dueMs: 0 }
    this.#plan(planned)
    this.#jobs.add(planned)
    this.#arm()
    return {
      reconsider: () => this.#reconsider(planned),
      [Symbol.dispose]: () => {
        this.#jobs.delete(planned)
        this.#arm()
      },
    }
  }

  #reconsider(job: PlannedJob): void {
    // Whoever is awake plans everything anew before going to sleep.
    if (this.#isAwake || !this.#jobs.has(job)) return
    const nowMs = this.#clock.monotonicMs()
    const dueMs = nowMs + job.periodMs()
    if (dueMs >= job.dueMs) return
    job.dueMs = dueMs
    this.#arm()
  }

  readonly #wake = (): void => {
    const nowMs = this.#clock.monotonicMs()
    this.#onLate(Math.max(0, nowMs - this.#armedForMs))
    this.#armedForMs = Number.POSITIVE_INFINITY
    this.#isAwake = true
    const ready = [...this.#jobs].filter(({ earliestMs, dueMs }) => Math.min(earliestMs, dueMs) <= nowMs)
    // A job that throws must end neither the chain nor the others.
    const errors: unknown[] = []
    for (const job of ready) {
      try {
        if (this.#jobs.has(job)) job.work()
      } catch (error) {
        errors.push(error)
      }
    }
    this.#isAwake = false
    // After the work, which changes what is due.
    for (const job of ready) this.#plan(job)
    this.#arm()
    if (errors.length > 0) throw errors[0]
  }

  #plan(job: PlannedJob): void {
    const nowMs = this.#clock.monotonicMs()
    const periodMs = job.periodMs()
    job.dueMs = nowMs + periodMs
    job.earliestMs = job.dueMs - periodMs * job.earliness
  }

  #arm(): void {
    if (this.#isAwake) return
    let dueMs = Number.POSITIVE_INFINITY
    for (const job of this.#jobs) dueMs = Math.min(dueMs, job.dueMs)
    if (dueMs === this.#armedForMs) return
    clearTimeout(this.#timer)
    this.#armedForMs = dueMs
    if (dueMs === Number.POSITIVE_INFINITY) return
    const inMs = Math.max(0, dueMs - this.#clock.monotonicMs())
    this.#timer = setTimeout(this.#wake, Math.ceil(inMs) + timerErrorMs)
  }
}
