// simulation/oracle/receipt-rules.ts: what workers are answered when they report. A receipt is given when the
// report is on disk, and never changes; the same report gets it again, another report never does.
import type { v2 } from '@pulseward/contract'
import type { Received, Refusal } from '@pulseward/server/internal/external-workers/receipt.ts'
import type { StoredExecution, WorkerStatement } from '@pulseward/server/internal/store/execution.ts'
import { misfit } from '../workers/job-types.ts'
import type { Findings } from './findings.ts'
import type { Executions } from './worker-executions.ts'

/** Results of checks are kept for a quarter of an hour. */
const checksKeptMs = 15 * 60_000

export class ReceiptRules {
  readonly #findings: Findings
  readonly #executions: Executions
  readonly #now: () => number
  readonly #receipts = new Map<string, Received>()
  /** Sent reports, as status and diagnostic; every distinct report has a distinct diagnostic. */
  readonly #said = new Map<string, Set<string>>()
  /** Number of calls that wait for their answer, by execution. */
  readonly #open = new Map<string, number>()

  constructor(findings: Findings, executions: Executions, now: () => number) {
    this.#findings = findings
    this.#executions = executions
    this.#now = now
  }

  processEnded(): void {
    this.#open.clear()
  }

  wasSaid(id: string, status: string, diagnostic: string | null): boolean {
    return this.#said.get(id)?.has(`${status} ${diagnostic}`) ?? false
  }

  /** A start names the receipt of an ended job: it must be the known one. */
  named(id: string, receiptId: string): void {
    const known = this.#receipts.get(id)
    if (known !== undefined && known.receiptId !== receiptId)
      this.#note('receipts are stable', `the receipt of ${id} was ${known.receiptId}, and is ${receiptId}`)
  }

  reporting(
    principal: string,
    outcome: v2.Outcome,
  ): (answer: Received | Refusal, mayBeUnavailable: boolean) => void {
    const { executionID: id, status, diagnostic } = outcome
    const said = this.#said.get(id) ?? new Set()
    this.#said.set(id, said.add(`${status} ${diagnostic}`))
    this.#open.set(id, (this.#open.get(id) ?? 0) + 1)
    return (answer, mayBeUnavailable) => {
      const others = (this.#open.get(id) ?? 1) - 1
      this.#open.set(id, others)
      if (!('kind' in answer)) this.#received(outcome, answer)
      else this.#refused(principal, outcome, answer, mayBeUnavailable || others > 0)
    }
  }

  evidenceAnswered(
    principal: string,
    { executionID: id, evidenceID, diagnostic }: v2.LateEvidenceRequest,
    answer: Received | Refusal,
    mayBeUnavailable: boolean,
  ): void {
    const stored = this.#executions.onDisk(id)
    const named = `evidence ${evidenceID}`
    const isNamed = stored?.late.some((one) => one.id === named) === true
    const kept = isNamed ? this.#executions.said(id, named) : undefined
    if (!('kind' in answer)) {
      this.#stable(id, answer)
      if (kept === undefined) this.#note('receipts when on disk', `evidence of ${id} is not on disk`)
      else if (kept.diagnostic !== diagnostic)
        this.#note('another result is refused', `other evidence of ${id} has a receipt`)
      return
    }
    const isRight = {
      'not found': !this.#isKept(stored, principal),
      conflict: kept !== undefined && kept.diagnostic !== diagnostic,
      wrong: (stored?.late.length ?? 0) >= 64,
      unavailable: mayBeUnavailable,
    }[answer.kind]
    // Two reports for one execution may be pending at a time.
    if (!isRight && !(answer.kind === 'conflict' && mayBeUnavailable))
      this.#note('reports', `evidence of ${id} is refused without a reason: ${answer.kind}`)
  }

  /** Nothing that has a receipt is written again. */
  written({ id, end }: StoredExecution): void {
    const known = this.#receipts.get(id)
    if (known !== undefined && end?.disposition !== known.disposition)
      this.#note('receipts are stable', `${id} is ${end?.disposition}, and its receipt says otherwise`)
  }

  #received({ executionID: id, diagnostic, data }: v2.Outcome, receipt: Received): void {
    this.#stable(id, receipt)
    const stored = this.#executions.onDisk(id)
    if (stored?.end == null)
      return this.#note('receipts when on disk', `${id} has a receipt, and no end on disk`)
    const kept = this.#keptReport(stored)
    if (kept === undefined)
      this.#note('receipts when on disk', `${id} has a receipt, and its report is not on disk`)
    else if (kept.diagnostic !== diagnostic)
      this.#note('another result is refused', `${id} was reported otherwise before, and has a receipt`)
    if (stored.end.disposition !== receipt.disposition)
      this.#note(
        'receipts are stable',
        `${id} is ${stored.end.disposition}, its receipt ${receipt.disposition}`,
      )
    if (data === misfit && stored.end.report !== null)
      this.#note('reports', `${id} has a result that does not fit its job type`)
  }

  #stable(id: string, receipt: Received): void {
    const known = this.#receipts.get(id)
    this.#receipts.set(id, known ?? receipt)
    if (known === undefined) return
    if (known.receiptId !== receipt.receiptId || known.disposition !== receipt.disposition)
      this.#note(
        'receipts are stable',
        `${id} had ${known.receiptId}, ${known.disposition}, and has ${receipt.receiptId}, ${receipt.disposition}`,
      )
  }

  #refused(
    principal: string,
    { executionID: id, diagnostic, data }: v2.Outcome,
    { kind }: Refusal,
    mayBeUnavailable: boolean,
  ): void {
    const stored = this.#executions.onDisk(id)
    const kept = stored === undefined ? undefined : this.#keptReport(stored)
    const isRight = {
      'not found': !this.#isKept(stored, principal),
      // Another report may be on its way to the disk.
      conflict: kept === undefined ? mayBeUnavailable : kept.diagnostic !== diagnostic || data === misfit,
      wrong: data === misfit,
      unavailable: mayBeUnavailable,
    }[kind]
    if (!isRight) this.#note('reports', `the report of ${id} is refused without a reason: ${kind}`)
  }

  #isKept(stored: StoredExecution | undefined, principal: string): boolean {
    if (stored === undefined || stored.principal !== principal) return false
    const { end, kind } = stored
    return end === null || kind !== 'check' || this.#now() < end.at + checksKeptMs
  }

  /** Reported in time, or after the deadline. */
  #keptReport({ id, end, late }: StoredExecution): WorkerStatement | undefined {
    if (end?.report != null) return this.#executions.said(id, 'report')
    return late.some((one) => one.id === 'result') ? this.#executions.said(id, 'result') : undefined
  }

  #note(rule: string, words: string): void {
    this.#findings.note(rule, words)
  }
}
