// engine/controller-loop.ts: runs the engine's regular jobs. Above a certain rate something is always due, and the
// schedule is checked every few milliseconds. Below it, a check may start a little late, so that one tick and one message
// serve many checks, and the loop sleeps until something is due. What has to be saved is saved every second.
import type { Engine } from './engine.ts'

export type Job = 'tick' | 'adapt' | 'second'

export interface RepeatedJob extends Disposable {
  /** Something changed: the next run comes sooner if the period is now shorter, never later. */
  reconsider(): void
}

/** The service uses a TimerChain; tests and the simulation decide when each job runs. */
export interface Timers {
  /** Runs the work repeatedly, periodMs after the previous run, until disposed. */
  repeat(job: Job, periodMs: () => number, work: () => void): RepeatedJob
}

const busyFromPerSecond = 2_000

/**
 * How long the first of some checks waits for the others. The wheel adds one tick: in a calm fleet a check starts at most
 * 50 ms late.
 */
const tickMs = { busy: 10, calm: 40 }

/** The pool has to react when targets begin to hang. While workers are free, its size does not matter. */
const adaptMs = { busy: 250, calm: 5_000 }

const secondMs = 1_000

/** Runs until disposed. alsoEverySecond: work of the owner on the same schedule. */
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
  // A turn may schedule a check or an action before the loop's next wake-up, or take the last worker.
  const reconsider = () => {
    ticks.reconsider()
    adapts.reconsider()
  }
  jobs.use(engine.onTurn(reconsider))
  return jobs
}
