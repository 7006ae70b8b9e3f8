// external-workers/late-reports.ts: what workers report of jobs that have ended: the same again, a result after the deadline,
// or evidence. It is kept with the job and rewrites nothing that was decided; only a review that it contradicts is in
// doubt again.
import type { v2 } from '@pulseward/contract'
import { type Action, isConcluded } from '../deciding/actions/action.ts'
import type { Engine } from '../engine/engine.ts'
import type { ExecutionEnd, LateEvidence, StoredExecution } from '../store/execution.ts'
import type { Store } from '../store/store.ts'
import type { ExternalJobs } from './external-jobs.ts'
import { type Received, type Refusal, receiptIdOf, receiptOf } from './receipt.ts'
import { digestOf, type ReportMistake, storedReport } from './report.ts'

export interface LateReportsOptions {
  readonly jobs: Pick<ExternalJobs, 'fenced'>
  readonly engine: Pick<Engine, 'worked'>
  readonly store: Pick<Store, 'readExecution' | 'readAction'>
}

type Piece = Omit<LateEvidence, 'at'>

/** Pieces of evidence that a job may have after its end. */
const mostPieces = 64
/** Of what a worker says, in the words about a review. */
const shownCharacters = 500

const tooMany: ReportMistake = {
  field: '/evidenceID',
  reason: 'rule',
  message: `is one more piece of evidence than the ${mostPieces} that a job may have after its end`,
}

export class LateReports {
  readonly #options: LateReportsOptions
  /** What is said of one job is taken one after the other. */
  readonly #last = new Map<string, Promise<Received | Refusal>>()

  constructor(options: LateReportsOptions) {
    this.#options = options
  }

  /** A result again, or one that comes too late. */
  report(principal: string, outcome: v2.Outcome): Promise<Received | Refusal> {
    const { executionID, grantID } = outcome
    return this.#oneByOne(executionID, async () => {
      const record = await this.#options.store.readExecution(executionID)
      if (record === null || record.principal !== principal || record.grantId !== grantID)
        return { kind: 'not found' }
      // The end of it is being written.
      if (record.end === null) return { kind: 'unavailable' }
      const { disposition, report } = record.end
      const late = storedReport(outcome)
      this.#options.jobs.fenced(executionID)
      if (report === null) return this.#append(record, record.end, { id: 'result', ...late })
      return report.digest === late.digest ? receiptOf(record.id, disposition) : { kind: 'conflict' }
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
      const piece = { id: `evidence ${evidenceID}`, digest, status: null, evidence, diagnostic, data }
      return this.#append(record, record.end, piece)
    })
  }

  async #append(
    record: StoredExecution,
    { disposition }: ExecutionEnd,
    piece: Piece,
  ): Promise<Received | Refusal> {
    const { id, late } = record
    const known = late.find((one) => one.id === piece.id)
    if (known !== undefined)
      return known.digest === piece.digest ? receiptOf(id, disposition) : { kind: 'conflict' }
    if (late.length >= mostPieces) return { kind: 'wrong', mistakes: [tooMany] }
    const contradicted = await this.#contradicted(record, piece)
    const end = await this.#options.engine.worked((turn) => {
      turn.keepExecution({ ...record, late: [...late, { ...piece, at: turn.now }] })
      if (contradicted !== null) turn.decide({ kind: 'review-contradicted', ...contradicted })
    })
    return end === 'stored' ? receiptOf(id, disposition) : { kind: 'unavailable' }
  }

  /** The action whose review says otherwise than its worker does now; null when there is none. */
  async #contradicted(
    { id, kind }: StoredExecution,
    { status, diagnostic }: Piece,
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
