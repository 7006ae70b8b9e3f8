// checks/runner.ts: runs one check to its end, whatever the driver does. The deadline holds also for a driver
// that ignores it, an exception becomes no_data, and no secret leaves in a reason or a warning. Retries are
// further tries inside the same deadline; the last one is the result.
import type { Clock } from '../platform/clock.ts'
import type { Network } from '../platform/network/network.ts'
import { withoutSecrets } from '../platform/redaction/redaction.ts'
import { durationInWords } from '../platform/wording.ts'
import type { CheckDriver, CheckRun, Outcome, Phase } from './driver.ts'

/** How long after its deadline a driver may still answer before the runner answers for it. */
const graceMs = 30

export interface Job {
  readonly driver: CheckDriver
  /** With credentials in place. */
  readonly config: Record<string, unknown>
  readonly timeoutMs: number
  readonly retries: number
  /** Values that must not be seen in any text that comes back. */
  readonly secrets: readonly string[]
  /** Called as phases end; only where somebody wants to read them. */
  readonly onPhase?: (phase: Phase, elapsedMs: number) => void
}

/** Runs the job and calls ended exactly once, within the timeout and the grace. */
export function runCheck(job: Job, network: Network, clock: Clock, ended: (outcome: Outcome) => void): void {
  new Run(job, network, clock, ended).attempt()
}

class Run implements CheckRun {
  readonly network: Network
  readonly #job: Job
  readonly #clock: Clock
  readonly #ended: (outcome: Outcome) => void
  readonly #beganMs: number
  #attemptBeganMs = 0
  #triesLeft: number
  /** Answers of earlier tries, and of a driver that was given up, find another number here and are dropped. */
  #attempt = 0
  #timer: NodeJS.Timeout | undefined
  #stop: (() => void) | null = null
  #controller: AbortController | null = null
  #expired = false

  constructor(job: Job, network: Network, clock: Clock, ended: (outcome: Outcome) => void) {
    this.#job = job
    this.network = network
    this.#clock = clock
    this.#ended = ended
    this.#beganMs = clock.monotonicMs()
    this.#triesLeft = job.retries
  }

  get timeoutMs(): number {
    return this.#job.timeoutMs - (this.#attemptBeganMs - this.#beganMs)
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#expired) this.#controller.abort()
    return this.#controller.signal
  }

  onDeadline(stop: () => void): void {
    this.#stop = stop
    // A step that is begun after the deadline would otherwise never be stopped.
    if (this.#expired) stop()
  }

  elapsedMs(): number {
    return this.#clock.monotonicMs() - this.#attemptBeganMs
  }

  mark(phase: Phase): void {
    this.#job.onPhase?.(phase, this.elapsedMs())
  }

  attempt(): void {
    const attempt = ++this.#attempt
    this.#attemptBeganMs = attempt === 1 ? this.#beganMs : this.#clock.monotonicMs()
    this.#stop = null
    this.#controller = null
    this.#timer = setTimeout(() => this.#deadlinePassed(attempt), Math.max(1, this.timeoutMs))
    let answer: Promise<Outcome>
    try {
      answer = this.#job.driver.check(this.#job.config, this)
    } catch (error) {
      answer = Promise.reject(error)
    }
    // Resolved once more for a driver that gives no promise at all; a promise is taken as it is.
    Promise.resolve(answer).then(
      (outcome) =>
        this.#answered(attempt, isOutcome(outcome) ? outcome : this.#crashed('it gave no outcome')),
      (error: unknown) => this.#answered(attempt, this.#crashed(error)),
    )
  }

  #deadlinePassed(attempt: number): void {
    this.#expired = true
    this.#timer = setTimeout(() => this.#answered(attempt, this.#overrun()), graceMs)
    try {
      this.#stop?.()
      this.#controller?.abort()
    } catch (error) {
      this.#answered(attempt, this.#crashed(error))
    }
  }

  #answered(attempt: number, outcome: Outcome): void {
    if (attempt !== this.#attempt) return
    clearTimeout(this.#timer)
    if (outcome.status !== 'success' && this.#triesLeft > 0 && !this.#isOver()) {
      this.#triesLeft--
      this.attempt()
      return
    }
    this.#attempt++
    this.#ended(this.#redacted(outcome))
  }

  /** Asked of the clock too: on a busy thread the timer may be late, and nobody tries again after the deadline. */
  #isOver(): boolean {
    return this.#expired || this.#clock.monotonicMs() - this.#beganMs >= this.#job.timeoutMs
  }

  #overrun(): Outcome {
    const reason = `no verdict within ${durationInWords(this.#job.timeoutMs)}; the check did not stop by itself`
    return { ...this.#crashed(null), status: 'timeout', reason }
  }

  /** A driver that throws has said nothing about its target. */
  #crashed(error: unknown): Outcome {
    const reason = `the check itself failed: ${error instanceof Error ? error.message : String(error)}`
    return {
      status: 'no_data',
      latencyMs: this.elapsedMs(),
      reason,
      warning: null,
      evidence: 'local',
      certificateExpiresAt: null,
    }
  }

  #redacted(outcome: Outcome): Outcome {
    const { secrets } = this.#job
    if (secrets.length === 0 || (outcome.reason === null && outcome.warning === null)) return outcome
    const { reason, warning } = outcome
    return { ...outcome, reason: redact(reason, secrets), warning: redact(warning, secrets) }
  }
}

function redact(text: string | null, secrets: readonly string[]): string | null {
  return text === null ? null : withoutSecrets(text, secrets)
}

const statuses: ReadonlySet<unknown> = new Set(['success', 'failure', 'timeout', 'no_data'])

/** Types end where a driver's library begins; what goes on to other threads has been looked at. */
function isOutcome(answer: Outcome | null | undefined): answer is Outcome {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    statuses.has(answer.status) &&
    Number.isFinite(answer.latencyMs) &&
    (answer.reason === null || typeof answer.reason === 'string') &&
    (answer.warning === null || typeof answer.warning === 'string')
  )
}
