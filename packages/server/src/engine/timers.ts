// engine/timers.ts: what makes the engine go round. The process has real timers; tests and the simulation bring their own
// and decide themselves when each job runs.
export type Job = 'tick' | 'adapt' | 'second'

export interface Timers {
  /** Runs the work again and again, each time so long after the last; until it is disposed. */
  repeat(job: Job, periodMs: () => number, work: () => void): Disposable
}

export const systemTimers: Timers = {
  repeat(_job, periodMs, work) {
    let timer: NodeJS.Timeout
    const arm = () => {
      timer = setTimeout(() => {
        arm()
        work()
      }, periodMs())
    }
    arm()
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  },
}
