// engine/controller-loop.ts: runs the engine's regular jobs: the schedule every few milliseconds, pool sizes every 250
// ms, histories every second. A fleet with few checks is not worth waking up for a hundred times per second.
import type { Engine } from './engine.ts'

export type Job = 'tick' | 'adapt' | 'second'

/** The process uses systemTimers; tests and the simulation decide themselves when each job runs. */
export interface Timers {
  /** Runs the work repeatedly, periodMs after the last time, until it is disposed. */
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

const busy = { tickMs: 10, adaptMs: 250 }
const calm = { tickMs: 100, adaptMs: 1000 }
const calmBelowPerSecond = 50

/** Runs until it is disposed. */
export function startLoop(engine: Engine, timers: Timers): Disposable {
  const pace = () => (engine.checksPerSecond < calmBelowPerSecond ? calm : busy)
  const jobs = new DisposableStack()
  jobs.use(
    timers.repeat(
      'tick',
      () => pace().tickMs,
      () => engine.tick(),
    ),
  )
  jobs.use(
    timers.repeat(
      'adapt',
      () => pace().adaptMs,
      () => engine.adapt(),
    ),
  )
  jobs.use(
    timers.repeat(
      'second',
      () => 1000,
      () => engine.everySecond(),
    ),
  )
  return jobs
}
