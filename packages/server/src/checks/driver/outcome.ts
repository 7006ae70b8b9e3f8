// checks/driver/outcome.ts: the outcome of a check, and the one way to report a failure. Anywhere in a driver, a fault of
// the target is thrown as a CheckFailure, a fault of the network as a ConnectError and a fault of the configuration as an
// UnusableConfig. outcomeOfError turns each into an Outcome, so that every driver words a deadline in the same way.
import { parseDuration } from '../../platform/duration.ts'
import { ConnectError } from '../../platform/network/network.ts'
import { durationInWords } from '../../platform/wording.ts'

export type OutcomeStatus = 'success' | 'failure' | 'timeout' | 'no_data'

/** Where the evidence of a failure comes from: an answer from the target's side, or only our own side (behaviour §5). */
export type Evidence = 'target' | 'local'

/** One uniform shape for every check, so that the code that handles results stays monomorphic. */
export interface Outcome {
  readonly status: OutcomeStatus
  readonly latencyMs: number
  /** Why it is not a success, in plain words; null for a success. */
  readonly reason: string | null
  readonly warning: string | null
  readonly evidence: Evidence
  /** When the leaf certificate that the server showed in this check expires, in epoch milliseconds. */
  readonly certificateExpiresAt: number | null
}

/** Makes the check a failure; the message is the reason. */
export class CheckFailure extends Error {
  readonly evidence: Evidence
  constructor(reason: string, evidence: Evidence = 'target') {
    super(reason)
    this.name = 'CheckFailure'
    this.evidence = evidence
  }
}

/**
 * Makes the check no_data: the configuration cannot be sent, so the target was never asked. Validation
 * refuses such a configuration, except if it depends on the value of a credential, which only the check sees.
 */
export class UnusableConfig extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnusableConfig'
  }
}

/** Includes faults of the TLS configuration, which the network detects first. */
export function isUnusableConfig(error: unknown): error is UnusableConfig | ConnectError {
  return error instanceof UnusableConfig || (error instanceof ConnectError && error.code === 'UNUSABLE')
}

/** For a step that the deadline stopped. The words say what is missing, such as "no reply from shop.test:443". */
export function deadlinePassed(words: string): ConnectError {
  return new ConnectError('ABORTED', words, 'local')
}

export function success(latencyMs: number, certificateExpiresAt: number | null = null): Outcome {
  return outcome('success', latencyMs, null, 'target', certificateExpiresAt)
}

/** A success, with a warning if it took longer than the configured max_latency. */
export function successWithin(latencyMs: number, maxLatency: string | undefined): Outcome {
  const limitMs = maxLatency === undefined ? null : parseDuration(maxLatency)
  if (limitMs === null || latencyMs <= limitMs) return success(latencyMs)
  const warning = `it took ${durationInWords(latencyMs)}, more than ${durationInWords(limitMs)}`
  return { ...success(latencyMs), warning }
}

export function failure(latencyMs: number, reason: string, evidence: Evidence = 'target'): Outcome {
  return outcome('failure', latencyMs, reason, evidence)
}

export function timedOut(latencyMs: number, reason: string): Outcome {
  return outcome('timeout', latencyMs, reason, 'local')
}

/** Nothing can be said about the target. */
export function noData(latencyMs: number, reason: string): Outcome {
  return outcome('no_data', latencyMs, reason, 'local')
}

function outcome(
  status: OutcomeStatus,
  latencyMs: number,
  reason: string | null,
  evidence: Evidence,
  certificateExpiresAt: number | null = null,
): Outcome {
  return { status, latencyMs, reason, warning: null, evidence, certificateExpiresAt }
}

/** The part of a run that an outcome depends on. */
interface Timed {
  readonly timeoutMs: number
  elapsedMs(): number
}

/** Anything but a CheckFailure, a ConnectError or an UnusableConfig is a bug and is rethrown. */
export function outcomeOfError(error: unknown, run: Timed): Outcome {
  const latencyMs = run.elapsedMs()
  if (error instanceof CheckFailure) return failure(latencyMs, error.message, error.evidence)
  if (isUnusableConfig(error)) return noData(latencyMs, error.message)
  if (!(error instanceof ConnectError)) throw error
  switch (error.code) {
    case 'ABORTED':
      return timedOut(latencyMs, `${error.message} within ${durationInWords(run.timeoutMs)}`)
    case 'UNSUPPORTED':
    case 'CROWDED':
      return noData(latencyMs, error.message)
    default:
      return failure(latencyMs, error.message, error.evidence)
  }
}
