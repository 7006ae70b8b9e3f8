// engine/controller-loop.ts: runs the engine's regular jobs. Above some rate something is due all the time, and the schedule
// is looked at every few milliseconds. Below it a check may start a little late, so that one tick and one message serve
// many, and the loop sleeps until something is due. What has to be kept is kept every second.
import type { Engine } from './engine.ts'

export type Job = 'tick' | 'adapt' | 'second'

export interface RepeatedJob extends Disposable {
  /** Something happened: the next run comes sooner if the period is shorter now, and never later. */
  reconsider(): void
}

/** The process uses a TimerChain; tests and the simulation decide themselves when each job runs. */
export interface Timers {
  /** Runs the work repeatedly, periodMs after the last time, until it is disposed. */
  repeat(job: Job, periodMs: () => number, work: () => void): RepeatedJob
}

const busyFromPerSecond = 2_000

/** The wheel adds a tick of its own: in a calm fleet a check starts at most 50 ms late. */
const tickMs = { busy: 10, calm: 40 }

/** The pool follows targets that begin to hang. While workers are free, its size changes nothing. */
const adaptMs = { busy: 250, calm: 5_000 }

const secondMs = 1_000

/** Runs until it is disposed. alsoEverySecond: what the owner has to do in the same rhythm. */
export function startLoop(
  engine: Engine,
  timers: Timers,
  alsoEverySecond: () => void = () => {},
): Disposable {
  const isBusy = () => engine.checksPerSecond >= busyFromPerSecond
  const untilTickMs = () => (isBusy() ? tickMs.busy : engine.rest(tickMs.calm, secondMs))
  const untilAdaptMs = () => (isBusy() || !engine.hasRoom ? adaptMs.busy : adaptMs.calm)
  const jobs = new DisposableStack()
  const ticks = jobs.use(timers.repeat('tick', untilTickMs, () => engine.tick()))
  const adapts = jobs.use(timers.repeat('adapt', untilAdaptMs, () => engine.adapt()))
  jobs.use(
    timers.repeat(
      'second',
      () => secondMs,
      () => {
        engine.everySecond()
        alsoEverySecond()
      },
    ),
  )
  // A turn may plan a check or an action before the time at which the loop would wake up, or take the last worker.
  const reconsider = () => {
    ticks.reconsider()
    adapts.reconsider()
  }
  jobs.use(engine.onTurn(reconsider))
  return jobs
}
