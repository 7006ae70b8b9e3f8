// checks/runner.ts: runs one check to its end, whatever the driver does. The deadline also holds for a driver that
// ignores it, an exception becomes no_data, and no secret leaves in a reason or a warning. Retries are further tries
// within the same deadline; the outcome of the last one counts.
import type { Clock } from '../platform/clock.ts'
import type { Network } from '../platform/network/network.ts'
import { withoutSecrets } from '../platform/redaction/redaction.ts'
import { Handshakes } from '../platform/tls/handshakes.ts'
import type { SessionMemory, SessionOwner } from '../platform/tls/session-memory.ts'
import { durationInWords } from '../platform/wording.ts'
import { shownSafely } from './driver/observation.ts'
import {
  type CheckDriver,
  type CheckRun,
  noData,
  type Observation,
  type Observe,
  type Outcome,
  type Phase,
  timedOut,
} from './driver.ts'

/** How long after its deadline a driver may still answer before the runner answers for it. */
const graceMs = 30

export type Job = WorkOfCheck & (Recurring | { readonly sessions?: undefined })

interface WorkOfCheck {
  readonly driver: CheckDriver
  /** With credentials in place. */
  readonly config: Record<string, unknown>
  readonly timeoutMs: number
  readonly retries: number
  /** Values that must not be seen in any text that comes back. */
  readonly secrets: readonly string[]
  /** Called as phases end; only where the caller wants to read them. */
  readonly onPhase?: (phase: Phase, elapsedMs: number) => void
  /** Called with what the driver sees; only where the caller wants to show it. */
  readonly onObservation?: (observation: Observation) => void
}

/** One of the checks of a monitor, which may resume the TLS sessions of the one before. */
interface Recurring extends SessionOwner {
  readonly sessions: SessionMemory
}

/** A check that was begun. */
export interface CheckInFlight {
  /** Ends it as its deadline would. */
  stop(): void
}

/** Runs the job and calls ended exactly once, later, within the timeout and the grace. */
export function runCheck(
  job: Job,
  network: Network,
  clock: Clock,
  ended: (outcome: Outcome) => void,
): CheckInFlight {
  const first = new Try(job, network, clock, ended, job.retries, null)
  first.begin()
  return first
}

/** One try of the check. Once it has ended, whatever its driver still says or sets is dropped. */
class Try implements CheckRun, CheckInFlight {
  readonly network: Network
  readonly #job: Job
  readonly #clock: Clock
  readonly #ended: (outcome: Outcome) => void
  /** When the first try began: the deadline of all of them counts from there. */
  readonly #firstBeganMs: number
  readonly #beganMs: number
  readonly #triesLeft: number
  /** Shared by all tries, and made for the first handshake: most checks have none. */
  #handshakes: Handshakes | null
  #timer: NodeJS.Timeout | undefined
  #stop: (() => void) | undefined
  #hasExpired = false
  #hasEnded = false
  #next: Try | null = null

  constructor(
    job: Job,
    network: Network,
    clock: Clock,
    ended: (outcome: Outcome) => void,
    triesLeft: number,
    before: Try | null,
  ) {
    this.#job = job
    this.network = network
    this.#clock = clock
    this.#ended = ended
    this.#beganMs = clock.monotonicMs()
    this.#firstBeganMs = before === null ? this.#beganMs : before.#firstBeganMs
    this.#handshakes = before === null ? null : before.#handshakes
    this.#triesLeft = triesLeft
  }

  get handshakes(): Handshakes | null {
    const { sessions } = this.#job
    if (sessions === undefined) return null
    if (this.#handshakes === null) {
      // The owner alone: what is kept of a session must not keep the configuration of the check.
      const { row, version, intervalMs } = this.#job
      this.#handshakes = new Handshakes(sessions, { row, version, intervalMs })
    }
    return this.#handshakes
  }

  get timeoutMs(): number {
    return this.#job.timeoutMs - (this.#beganMs - this.#firstBeganMs)
  }

  get hasExpired(): boolean {
    return this.#hasExpired
  }

  get onStop(): (() => void) | undefined {
    return this.#stop
  }

  set onStop(stop: (() => void) | undefined) {
    this.#stop = stop
    if (this.#hasExpired) stop?.()
  }

  elapsedMs(): number {
    return this.#clock.monotonicMs() - this.#beganMs
  }

  mark(phase: Phase): void {
    this.#job.onPhase?.(phase, this.elapsedMs())
  }

  /** Made when it is asked for: almost no check is observed. */
  get observe(): Observe {
    const { onObservation, secrets } = this.#job
    if (onObservation === undefined) return undefined
    return (observation) => {
      if (!this.#hasEnded) onObservation(shownSafely(observation, secrets))
    }
  }

  begin(): void {
    this.#timer = setTimeout(() => this.#expire(), Math.max(1, this.timeoutMs))
    let answer: Promise<Outcome>
    try {
      answer = this.#job.driver.check(this.#job.config, this)
    } catch (error) {
      answer = Promise.reject(error)
    }
    // Resolved once more for a driver that gives no promise at all; a promise is taken as it is.
    Promise.resolve(answer).then(
      (outcome) => this.#end(isOutcome(outcome) ? outcome : this.#crashed('it gave no outcome')),
      (error: unknown) => this.#end(this.#crashed(error)),
    )
  }

  stop(): void {
    if (this.#next !== null) this.#next.stop()
    else if (!this.#hasEnded && !this.#hasExpired) this.#expire()
  }

  #expire(): void {
    this.#hasExpired = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(this.#overrun()), graceMs)
    try {
      this.#stop?.()
    } catch (error) {
      this.#end(this.#crashed(error))
    }
  }

  #end(outcome: Outcome): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    const triesLeft = this.#triesLeftAfter(outcome)
    if (triesLeft < 0) {
      this.#ended(this.#redacted(outcome))
      return
    }
    this.#next = new Try(this.#job, this.network, this.#clock, this.#ended, triesLeft, this)
    this.#next.begin()
  }

  /** Negative if this was the last try. One that failed by what its TLS handshake left out is no try. */
  #triesLeftAfter({ status }: Outcome): number {
    if (status === 'success') {
      this.#handshakes?.succeeded()
      return -1
    }
    const isTry = this.#handshakes?.failed() !== true
    // Whatever failed, the next check begins with a full handshake.
    if (this.#job.sessions !== undefined) this.#job.sessions.forget(this.#job.row)
    if (this.#isTooLate()) return -1
    return isTry ? this.#triesLeft - 1 : this.#triesLeft
  }

  /** Asked of the clock too: on a busy thread the timer may be late, and no try begins after the deadline. */
  #isTooLate(): boolean {
    return this.#hasExpired || this.#clock.monotonicMs() - this.#firstBeganMs >= this.#job.timeoutMs
  }

  #overrun(): Outcome {
    const timeout = durationInWords(this.#job.timeoutMs)
    return timedOut(this.elapsedMs(), `no verdict within ${timeout}; the check did not stop by itself`)
  }

  /** A driver that throws has said nothing about its target. */
  #crashed(error: unknown): Outcome {
    const words = error instanceof Error ? error.message : String(error)
    return noData(this.elapsedMs(), `the check itself failed: ${words}`)
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

/** Types end where a driver's library begins, and an outcome goes on to other threads: so its shape is checked here. */
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
