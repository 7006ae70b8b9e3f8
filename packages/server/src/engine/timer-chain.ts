// engine/timer-chain.ts: runs the jobs of a loop on one system timer, set to the job that is due first.
// Waking the process costs more than most jobs do, so a job that may run early does so when the process is
// awake anyway. The delay of the timer is passed to onLate, which measures the loop.
import type { Clock } from '../platform/clock.ts'
import type { Job, RepeatedJob, Timers } from './controller-loop.ts'

/**
 * The fraction of its period by which a job may run early. A tick that is early finds nothing; histories keep
 * their spacing.
 */
const earliness: Readonly<Record<Job, number>> = { tick: 1, adapt: 0.5, second: 0 }

/** System timers count whole milliseconds of a truncated clock, and may fire this much early. */
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
    // While jobs run there is no need to rearm: everything is planned again afterwards.
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
    // A job that throws must stop neither the chain nor the other jobs.
    const errors: unknown[] = []
    for (const job of ready) {
      try {
        if (this.#jobs.has(job)) job.work()
      } catch (error) {
        errors.push(error)
      }
    }
    this.#isAwake = false
    // Planned after the work, which changes what is due.
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
