// checks/http/attempt.ts: one run of an http check from its first connection to its outcome. It knows what is
// being waited for, so that a deadline closes it and can say how far the check came. Whatever step is under way
// has put its own way to stop in `onStop`; there is never more than one step under way.
import type { Abandon } from '../../platform/network/network.ts'
import type { CheckRun, Evidence, Outcome } from '../driver.ts'
import { inWords } from './wording.ts'

/** Why there is no good answer, as a sentence, and whose side said so. */
export class Problem {
  readonly reason: string
  readonly evidence: Evidence
  constructor(reason: string, evidence: Evidence = 'target') {
    this.reason = reason
    this.evidence = evidence
  }
}

/** What a step hands back when its deadline ended it; the outcome is then the deadline's, whatever this says. */
export const STOPPED = new Problem('stopped', 'local')

export class Attempt implements Abandon {
  readonly run: CheckRun
  onStop: (() => void) | undefined = undefined
  expired = false
  /** There was no room to even begin: the deadline then says nothing about the target. */
  crowded = false
  /** The earliest end of the certificates seen on the way. */
  certificateExpiresAt: number | null = null
  #missing = 'no connection'
  #reached = ''
  #latencyMs = -1

  constructor(run: CheckRun) {
    this.run = run
    run.onDeadline(() => {
      this.expired = true
      this.onStop?.()
    })
  }

  /** Notes what is missing from now on, such as 'no response', and what has been reached. */
  awaits(missing: string, reached: string): void {
    this.#missing = missing
    this.#reached = reached
  }

  sawCertificate(expiresAt: number): void {
    this.certificateExpiresAt = Math.min(expiresAt, this.certificateExpiresAt ?? expiresAt)
  }

  /** The answer is complete: judging it is our own time and not the target's. */
  answered(): void {
    this.#latencyMs = this.run.elapsedMs()
  }

  outcome(problem: Problem | null, maxLatencyMs: number | null): Outcome {
    const latencyMs = this.expired || this.#latencyMs < 0 ? this.run.elapsedMs() : this.#latencyMs
    const { certificateExpiresAt } = this
    if (this.expired) {
      const reached = this.#reached === '' ? '' : `; ${this.#reached}`
      const reason = `${this.#missing} within ${inWords(this.run.timeoutMs)}${reached}`
      const status = this.crowded ? 'no_data' : 'timeout'
      return { status, latencyMs, reason, warning: null, evidence: 'local', certificateExpiresAt }
    }
    if (problem !== null) {
      const { reason, evidence } = problem
      return { status: 'failure', latencyMs, reason, warning: null, evidence, certificateExpiresAt }
    }
    const warning =
      maxLatencyMs === null || latencyMs <= maxLatencyMs
        ? null
        : `answered in ${inWords(latencyMs)}, over the ${inWords(maxLatencyMs)} allowed`
    return { status: 'success', latencyMs, reason: null, warning, evidence: 'target', certificateExpiresAt }
  }
}
