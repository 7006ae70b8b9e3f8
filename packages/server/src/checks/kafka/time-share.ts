// checks/kafka/time-share.ts: a fair part of a run's time, so that one broker that never answers does not eat the time of
// those after it. The last share is all that is left, and ends with the run itself.
import type { CheckRun } from '../driver.ts'

export interface TimeShare extends Disposable {
  readonly run: CheckRun
}

/** One of so many shares of what is left of the run. */
export function timeShare(run: CheckRun, shares: number): TimeShare {
  const shareMs = Math.max(1, (run.timeoutMs - run.elapsedMs()) / shares)
  let stop: (() => void) | null = null
  const timer = shares === 1 ? undefined : setTimeout(() => stop?.(), shareMs)
  const share: CheckRun = {
    network: run.network,
    timeoutMs: shareMs,
    get signal() {
      return run.signal
    },
    onDeadline(given) {
      stop = given
      run.onDeadline(given)
    },
    elapsedMs: () => run.elapsedMs(),
    mark: (phase) => run.mark(phase),
  }
  return { run: share, [Symbol.dispose]: () => clearTimeout(timer) }
}
