// external-workers/late-reports.ts: reports about jobs that have already ended: a repeated result, a result
// after the deadline, or evidence. They are kept with the job and do not change what was decided; they only
// put a review in doubt again if they contradict it. The number and size of late reports per job are bounded,
// and the cost of adding one does not depend on how many there are.
import { v2 } from '@pulseward/contract'
import { type Action, isConcluded } from '../deciding/actions/action.ts'
import type { Engine } from '../engine/engine.ts'
import {
  type ExecutionEnd,
  type LateEvidence,
  receiptIdOf,
  type StoredExecution,
  type WorkerStatement,
} from '../store/execution.ts'
import type { Store } from '../store/store.ts'
import type { ExternalJobs } from './external-jobs.ts'
import { type Received, type Refusal, receiptOf } from './receipt.ts'
import { bytesOf, digestOf, type ReportMistake, sizeMistakes, statementOf } from './report.ts'

export interface LateReportsOptions {
  readonly jobs: Pick<ExternalJobs, 'fenced'>
  readonly engine: Pick<Engine, 'request'>
  readonly store: Pick<Store, 'readExecution' | 'readAction'>
}

interface Piece extends Pick<LateEvidence, 'digest' | 'status'> {
  readonly statement: WorkerStatement
}

const { latePieces: mostPieces, lateBytes: mostBytes } = v2.limits
/** How much of the worker's diagnostic is quoted beside a review. */
const shownCharacters = 500

export class LateReports {
  readonly #options: LateReportsOptions
  /** Reports about the same job are processed one after the other. */
  readonly #last = new Map<string, Promise<Received | Refusal>>()

  constructor(options: LateReportsOptions) {
    this.#options = options
  }

  /** A repeated result, or one that comes after the deadline. */
  report(principal: string, outcome: v2.Outcome): Promise<Received | Refusal> {
    const { executionID, grantID, status } = outcome
    return this.#oneByOne(executionID, async () => {
      const record = await this.#options.store.readExecution(executionID)
      if (record === null || record.principal !== principal || record.grantId !== grantID)
        return { kind: 'not found' }
      // The end of the job is still being written.
      if (record.end === null) return { kind: 'unavailable' }
      const { disposition, report } = record.end
      const digest = digestOf(outcome)
      this.#options.jobs.fenced(executionID)
      if (report === null)
        return this.#append(record, record.end, {
          digest,
          status,
          statement: statementOf('result', outcome),
        })
      return report.digest === digest ? receiptOf(record.id, disposition) : { kind: 'conflict' }
    })
  }

  evidence(principal: string, asked: v2.LateEvidenceRequest): Promise<Received | Refusal> {
    const { executionID, evidenceID, originalReceiptID } = asked
    const { evidence = [], diagnostic = null, data = null } = asked
    return this.#oneByOne(executionID, async () => {
      const record = await this.#options.store.readExecution(executionID)
      if (record === null || record.principal !== principal || record.end === null)
        return { kind: 'not found' }
      if (receiptIdOf(record) !== originalReceiptID) return { kind: 'not found' }
      const digest = digestOf({ evidence, diagnostic, data })
      const statement = statementOf(`evidence ${evidenceID}`, asked)
      return this.#append(record, record.end, { digest, status: null, statement })
    })
  }

  async #append(
    record: StoredExecution,
    { disposition }: ExecutionEnd,
    { digest, status, statement }: Piece,
  ): Promise<Received | Refusal> {
    const { id, late } = record
    const known = late.find((one) => one.id === statement.id)
    if (known !== undefined)
      return known.digest === digest ? receiptOf(id, disposition) : { kind: 'conflict' }
    const bytes = bytesOf(statement)
    const mistakes = [...sizeMistakes({ data: statement.data }), ...roomMistakes(late, bytes)]
    if (mistakes.length > 0) return { kind: 'wrong', mistakes }
    const contradicted = await this.#contradicted(record, status, statement.diagnostic)
    const end = await this.#options.engine.request('told', (turn) => {
      const piece = { id: statement.id, digest, status, at: turn.now, bytes }
      turn.keepExecution({ ...record, late: [...late, piece] })
      turn.keepStatement(statement)
      if (contradicted !== null) turn.decide({ kind: 'review-contradicted', ...contradicted })
    })
    return end === 'stored' ? receiptOf(id, disposition) : { kind: 'unavailable' }
  }

  /** The action whose review contradicts this report; null if there is none. */
  async #contradicted(
    { id, kind }: StoredExecution,
    status: string | null,
    diagnostic: string | null,
  ): Promise<{ readonly action: Action; readonly conflict: string } | null> {
    if (kind === 'check' || status === null || status === 'unknown') return null
    const action = await this.#options.store.readAction(id)
    if (action === null || action.review === null || !isConcluded(action)) return null
    const wasDone = status !== 'rejected'
    if (wasDone === (action.review.resolution === 'accepted')) return null
    const words = diagnostic === null ? '' : `: ${diagnostic.slice(0, shownCharacters)}`
    return { action, conflict: `its worker reported ${status} after the deadline${words}` }
  }

  async #oneByOne(executionId: string, work: () => Promise<Received | Refusal>): Promise<Received | Refusal> {
    const before = this.#last.get(executionId)
    const turn = before === undefined ? work() : before.then(work, work)
    this.#last.set(executionId, turn)
    try {
      return await turn
    } finally {
      if (this.#last.get(executionId) === turn) this.#last.delete(executionId)
    }
  }
}

/** Mistakes if one more piece of this size would exceed what a job may have. */
function roomMistakes(late: readonly LateEvidence[], bytes: number): ReportMistake[] {
  if (late.length >= mostPieces) {
    const message = `is one more piece of evidence than the ${mostPieces} that a job may have after its end`
    return [{ field: '/evidenceID', reason: 'rule', message }]
  }
  const kept = late.reduce((sum, piece) => sum + piece.bytes, 0)
  if (kept + bytes <= mostBytes) return []
  const message = `makes more than the ${mostBytes / 1024} KiB that may be said of a job after its end`
  return [{ field: '', reason: 'rule', message }]
}
