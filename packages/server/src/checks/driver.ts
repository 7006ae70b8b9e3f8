// checks/driver.ts: what a check is. A driver is one file and one line in the registry; its schema, docs,
// metric label, secret fields and contract tests all come from the definition made here. A driver answers
// with an Outcome and never throws for anything that a target or the network does.
import type { Static, TObject } from 'typebox'
import type { Network } from '../platform/network/network.ts'

export type OutcomeStatus = 'success' | 'failure' | 'timeout' | 'no_data'

/** Where the evidence of a failure comes from: an answer of the target's side, or only our own (behaviour §5). */
export type Evidence = 'target' | 'local'

/** One uniform shape for every check, so that the code that handles results stays monomorphic. */
export interface Outcome {
  readonly status: OutcomeStatus
  readonly latencyMs: number
  /** Why it is no success, as a person would say it; null for a success. */
  readonly reason: string | null
  readonly warning: string | null
  readonly evidence: Evidence
  /** Epoch milliseconds of the end of the leaf certificate that was seen on the way. */
  readonly certificateExpiresAt: number | null
}

export type Phase = 'resolve' | 'connect' | 'tls' | 'first_byte' | 'total'

/** One run of one check: its deadline, its network, and a place to note phases. */
export interface CheckRun {
  readonly network: Network
  readonly timeoutMs: number
  /** Aborts at the deadline. Made on first use; hot drivers use onDeadline, which costs no controller. */
  readonly signal: AbortSignal
  /** Calls stop once when the deadline passes, unless the check ended before. At most one stop a run. */
  onDeadline(stop: () => void): void
  /** Milliseconds since the run began, monotonic. */
  elapsedMs(): number
  /** Notes that a phase has just ended; kept only where somebody wants to read it. */
  mark(phase: Phase): void
}

export interface CheckDriver<Schema extends TObject = TObject> {
  readonly summary: string
  readonly config: Schema
  /** Optional packages that it is built on: a fleet that uses the driver is refused where one of them is missing. */
  readonly requires?: readonly string[]
  /** Display form: never user info, query or fragment. */
  target(config: Static<Schema>): string
  check(config: Static<Schema>, run: CheckRun): Promise<Outcome>
}

export function defineCheck<Schema extends TObject>(driver: CheckDriver<Schema>): CheckDriver<Schema> {
  return driver
}

export function success(latencyMs: number, certificateExpiresAt: number | null = null): Outcome {
  return {
    status: 'success',
    latencyMs,
    reason: null,
    warning: null,
    evidence: 'target',
    certificateExpiresAt,
  }
}

export function failure(latencyMs: number, reason: string, evidence: Evidence = 'target'): Outcome {
  return { status: 'failure', latencyMs, reason, warning: null, evidence, certificateExpiresAt: null }
}

export function timedOut(latencyMs: number, reason: string): Outcome {
  return {
    status: 'timeout',
    latencyMs,
    reason,
    warning: null,
    evidence: 'local',
    certificateExpiresAt: null,
  }
}
