// checks/http/attempt.ts: one run of an http check from its first connection to its outcome. It knows what
// the check is waiting for, so that the outcome of a deadline can say how far the check got.
import { ConnectError } from '../../platform/network/network.ts'
import type { SeenCertificate } from '../../platform/tls/secure-socket.ts'
import {
  CheckFailure,
  type CheckRun,
  deadlinePassed,
  type Evidence,
  type Outcome,
  type OutcomeStatus,
} from '../driver.ts'
import { inWords } from './wording.ts'

/** The error of a step that the deadline stopped. The attempt words the outcome. */
export const STOPPED = deadlinePassed('no answer')

export class Attempt {
  readonly run: CheckRun
  /** There was no capacity to even begin, so the deadline says nothing about the target. */
  crowded = false
  /** The earliest expiry of the certificates of the check's servers. */
  #certificateExpiresAt: number | null = null
  #certificateShown = false
  #missing = 'no connection'
  #reached = ''
  #latencyMs = -1

  constructor(run: CheckRun) {
    this.run = run
  }

  /** Notes what is missing from now on, such as 'no response', and what was reached. */
  awaits(missing: string, reached: string): void {
    this.#missing = missing
    this.#reached = reached
  }

  sawCertificate({ expiresAt, isShown }: SeenCertificate): void {
    if (expiresAt === null) return
    this.#certificateExpiresAt = Math.min(expiresAt, this.#certificateExpiresAt ?? expiresAt)
    this.#certificateShown ||= isShown
  }

  /** The response is complete: what follows is our own time, not the target's. */
  answered(): void {
    this.#latencyMs = this.run.elapsedMs()
  }

  success(maxLatencyMs: number | null): Outcome {
    if (this.run.hasExpired) return this.#expired()
    const latencyMs = this.#latencyMs
    const isSlow = maxLatencyMs !== null && latencyMs > maxLatencyMs
    const warning = isSlow
      ? `answered in ${inWords(latencyMs)}, over the ${inWords(maxLatencyMs)} allowed`
      : null
    return this.#outcome('success', latencyMs, null, warning)
  }

  failure(reason: string, evidence: Evidence = 'target'): Outcome {
    if (this.run.hasExpired) return this.#expired()
    const latencyMs = this.#latencyMs < 0 ? this.run.elapsedMs() : this.#latencyMs
    return this.#outcome('failure', latencyMs, reason, null, evidence)
  }

  #expired(): Outcome {
    const reached = this.#reached === '' ? '' : `; ${this.#reached}`
    const reason = `${this.#missing} within ${inWords(this.run.timeoutMs)}${reached}`
    return this.#outcome(this.crowded ? 'no_data' : 'timeout', this.run.elapsedMs(), reason, null, 'local')
  }

  #outcome(
    status: OutcomeStatus,
    latencyMs: number,
    reason: string | null,
    warning: string | null,
    evidence: Evidence = 'target',
  ): Outcome {
    // With nothing new in sight, what was reported before holds.
    const certificateExpiresAt = this.#certificateShown ? this.#certificateExpiresAt : null
    return { status, latencyMs, reason, warning, evidence, certificateExpiresAt }
  }
}

/** The same failure, attributed to the proxy. */
export function atProxy(error: unknown): unknown {
  const isKnown = error instanceof CheckFailure || error instanceof ConnectError
  return isKnown ? new CheckFailure(`the proxy: ${error.message}`, error.evidence) : error
}
