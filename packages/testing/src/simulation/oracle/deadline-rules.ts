// simulation/oracle/deadline-rules.ts: how long workers keep what they were granted: not less than the
// timeout, and not much more, by the clock of the running process.
import type { StoredExecution } from '@pulseward/server/internal/store/execution.ts'
import type { Findings } from './findings.ts'
import type { Scene } from './scene.ts'

/** A turn runs at least this often, and ends what has timed out. */
export const noticedMs = 1_200
/** Service time may differ this much from the wall clock that the next process starts with. */
const timeOffMs = 2_300

/** How long a grant lasts, as far as it is known here. */
interface Deadline {
  readonly process: number
  /** By the monotonic clock of the running process: not before, and not much after. */
  readonly fromMs: number
  byMs: number
  storedMs: number
  /** The same in true time, for later processes. */
  readonly fromTrueMs: number
  readonly wallAheadMs: number
}

export class DeadlineRules {
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #deadlines = new Map<string, Deadline>()

  constructor(scene: Scene, findings: Findings) {
    this.#scene = scene
    this.#findings = findings
  }

  /** A start has arrived that will be granted. */
  begins(id: string, timeoutMs: number): void {
    const { clock, running } = this.#scene
    const arrivedMs = clock.monotonicMs()
    const { trueMs } = clock
    this.#deadlines.set(id, {
      process: running.number,
      fromMs: arrivedMs + timeoutMs,
      byMs: arrivedMs + timeoutMs,
      storedMs: Number.POSITIVE_INFINITY,
      fromTrueMs: trueMs + timeoutMs,
      wallAheadMs: clock.wallMs() - trueMs,
    })
  }

  /** A grant that takes long to be stored may be past its deadline when it is given. */
  stored(id: string): void {
    const deadline = this.#deadlines.get(id)
    if (deadline !== undefined) deadline.storedMs = this.#nowMs
  }

  /** Another process continues with what was granted before. */
  resumed({ id, deadline, grantedAt }: StoredExecution): void {
    const known = this.#deadlines.get(id)
    if (known === undefined) return
    const now = this.#scene.running.parts.time.now()
    known.byMs = this.#nowMs + Math.min(deadline - grantedAt, Math.max(0, deadline - now))
    known.storedMs = this.#nowMs
  }

  isOver(id: string): boolean {
    return this.#nowMs >= (this.#deadlines.get(id)?.byMs ?? Number.POSITIVE_INFINITY)
  }

  /** Its end is on disk: an end that a crash undoes is followed by another one. */
  forget(id: string): void {
    this.#deadlines.delete(id)
  }

  /** The process has just run a turn, and this job has not ended. */
  judgeRunning(id: string): void {
    const deadline = this.#deadlines.get(id)
    if (deadline === undefined) return
    const lateMs = this.#nowMs - Math.max(deadline.byMs, deadline.storedMs)
    if (lateMs > noticedMs) this.#note(`${id} runs ${lateMs} ms after its deadline`)
  }

  /** It ends without a report: not before its deadline. */
  judgeGivenUp(id: string): void {
    const deadline = this.#deadlines.get(id)
    if (deadline === undefined) return
    const { clock, running } = this.#scene
    const isSameProcess = deadline.process === running.number
    const isSameWall = clock.wallMs() - clock.trueMs === deadline.wallAheadMs
    const earlyMs = isSameProcess
      ? deadline.fromMs - this.#nowMs
      : isSameWall
        ? deadline.fromTrueMs - clock.trueMs - timeOffMs
        : 0
    if (earlyMs > 1) this.#note(`${id} is given up ${earlyMs} ms before its deadline`)
  }

  /** The deadline of a grant when it is stored. */
  judgeGrant({ id, deadline, grantedAt }: StoredExecution, timeoutMs: number): void {
    if (Math.abs(deadline - grantedAt - timeoutMs) > 1)
      this.#note(`${id} gets another deadline than its timeout says`)
  }

  get #nowMs(): number {
    return this.#scene.clock.monotonicMs()
  }

  #note(words: string): void {
    this.#findings.note('deadlines are kept', words)
  }
}
