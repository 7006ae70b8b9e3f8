// checks/driver/outcomes.ts: the part of the driver interface that turns what the network said into an Outcome, so
// that every driver words a deadline, a refusal and a slow success in the same way.
import { parseDuration } from '../../platform/duration.ts'
import { type Abandon, ConnectError } from '../../platform/network/network.ts'
import { durationInWords } from '../../platform/wording.ts'
import { type CheckRun, failure, type Outcome, success, timedOut } from '../driver.ts'

/** A success, with a warning when it took longer than the configured max_latency. */
export function successWithin(latencyMs: number, maxLatency: string | undefined): Outcome {
  const outcome = success(latencyMs)
  if (maxLatency === undefined) return outcome
  const limitMs = parseDuration(maxLatency)
  if (limitMs === null || latencyMs <= limitMs) return outcome
  const warning = `it took ${durationInWords(latencyMs)}, more than ${durationInWords(limitMs)}`
  return { ...outcome, warning }
}

/** The deadline passed: the words name the phase, such as "no connection to shop.test:443". */
export function deadlinePassed(words: string, run: CheckRun): Outcome {
  return timedOut(run.elapsedMs(), `${words} within ${durationInWords(run.timeoutMs)}`)
}

/** What a failed resolve, connect, DNS query or ping means; anything but a ConnectError is a bug and thrown on. */
export function networkFailure(error: unknown, run: CheckRun): Outcome {
  if (!(error instanceof ConnectError)) throw error
  if (error.code === 'ABORTED') return deadlinePassed(error.message, run)
  if (error.code === 'UNSUPPORTED' || error.code === 'CROWDED') return noData(error.message, run)
  return failure(run.elapsedMs(), error.message, error.evidence)
}

/** Nothing can be said about the target. */
function noData(reason: string, run: CheckRun): Outcome {
  return {
    status: 'no_data',
    latencyMs: run.elapsedMs(),
    reason,
    warning: null,
    evidence: 'local',
    certificateExpiresAt: null,
  }
}

/**
 * The deadline of a run for the steps of the network. A step that begins after it is stopped at once, so that a wait
 * for something that cannot be stopped (a package being loaded) may stand between two steps.
 */
export function abandonAtDeadline(run: CheckRun): Abandon {
  return new Deadline(run)
}

class Deadline implements Abandon {
  #stop: (() => void) | undefined
  #hasPassed = false

  constructor(run: CheckRun) {
    run.onDeadline(() => {
      this.#hasPassed = true
      this.#stop?.()
    })
  }

  get onStop(): (() => void) | undefined {
    return this.#stop
  }

  set onStop(stop: (() => void) | undefined) {
    this.#stop = stop
    if (this.#hasPassed) stop?.()
  }
}
