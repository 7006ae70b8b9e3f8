// external-workers/worker-desk.ts: what workers ask of the service: offers, the grant to begin, whether they still have it,
// and a receipt for what they report. A grant is on disk before it is given, and so is a result before it has a receipt.
// Calls that come in the same moment are committed together. A worker sees only what it was offered or granted.

import { setImmediate as nextMoment } from 'node:timers/promises'
import type { v2 } from '@pulseward/contract'
import type { Engine } from '../engine/engine.ts'
import type { ExecutionEnd, LateEvidence, StoredExecution } from '../store/execution.ts'
import type { Store } from '../store/store.ts'
import type { ExternalJobs } from './external-jobs.ts'
import type { Grant, OpenJob } from './lease-table.ts'
import {
  actionOutcomeOf,
  checkStatusOf,
  digestOf,
  dispositionOf,
  latencyOf,
  type ReportMistake,
  reportMistakes,
  storedReport,
  wordsOf,
} from './report.ts'

export interface WorkerDeskOptions {
  readonly jobs: ExternalJobs
  readonly engine: Pick<Engine, 'grant' | 'worked'>
  readonly store: Pick<Store, 'readExecution'>
}

export interface Started {
  readonly disposition: v2.StartResponse['disposition']
  readonly grantId: string
  readonly deadline: number
  readonly receiptId: string
}

export interface Received {
  readonly receiptId: string
  readonly disposition: ExecutionEnd['disposition']
}

/** Why a call is not answered with what it asked for. */
export type Refusal =
  /** No such job, or not one of this principal's. */
  | { readonly kind: 'not found' }
  /** Something else was reported of it before. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'wrong'; readonly mistakes: readonly ReportMistake[] }
  /** It cannot be stored now. */
  | { readonly kind: 'unavailable' }

/** Pieces of evidence that may come after the end of a job. */
export const mostLateEvidence = 64

interface Ending {
  readonly open: OpenJob
  readonly grant: Grant
  readonly outcome: v2.Outcome
  readonly digest: string
  readonly answer: Promise<Received | Refusal>
  settle(answer: Received | Refusal): void
}

interface Starting {
  readonly open: OpenJob
  readonly grant: Grant
  settle(isStored: boolean): void
}

export class WorkerDesk {
  readonly #options: WorkerDeskOptions
  #starting: Starting[] = []
  /** Reports that are not stored yet, by execution. */
  readonly #ending = new Map<string, Ending>()
  #reported: Ending[] = []
  /** Late words about one job are taken one after the other. */
  readonly #late = new Map<string, Promise<Received | Refusal>>()

  constructor(options: WorkerDeskOptions) {
    this.#options = options
  }

  async start(principal: string, asked: v2.StartRequest): Promise<Started | Refusal> {
    const { jobs } = this.#options
    const { executionID: executionId, leaseID: leaseId, executionRevision } = asked
    const words = { executionId, leaseId, revision: Number(executionRevision) }
    const decision = jobs.table.start(principal, words, jobs.nowMs)
    switch (decision.kind) {
      case 'not open':
        return this.#startOfEnded(principal, executionId)
      case 'rejected':
        return { disposition: 'rejected', grantId: '', deadline: jobs.at(jobs.nowMs), receiptId: '' }
      case 'started':
      case 'pending': {
        const deadline = jobs.at(decision.open.grant?.deadlineMs ?? jobs.nowMs)
        return { disposition: decision.kind, grantId: '', deadline, receiptId: '' }
      }
      case 'grants': {
        const { open, grant } = decision
        const isStored = await this.#storeGrant(open, grant)
        if (!isStored) return { kind: 'unavailable' }
        return {
          disposition: 'granted',
          grantId: grant.id,
          deadline: jobs.at(grant.deadlineMs),
          receiptId: '',
        }
      }
    }
  }

  async heartbeat(
    principal: string,
    asked: v2.HeartbeatRequest,
  ): Promise<{ readonly accepted: boolean } | Refusal> {
    const { jobs, store } = this.#options
    const { executionID, grantID, workerID: workerId } = asked
    if (jobs.table.running(principal, executionID, grantID) !== null) {
      jobs.table.roster.seen({ principal, workerId }, jobs.nowMs)
      return { accepted: true }
    }
    const record = await store.readExecution(executionID)
    const isTheirs = record !== null && record.principal === principal && record.grantId === grantID
    return isTheirs ? { accepted: false } : { kind: 'not found' }
  }

  async result(principal: string, outcome: v2.Outcome): Promise<Received | Refusal> {
    const { jobs } = this.#options
    const { executionID, grantID } = outcome
    const open = jobs.table.running(principal, executionID, grantID)
    if (open === null || open.grant === null) return this.#afterTheEnd(principal, outcome)
    const mistakes = reportMistakes(outcome, open.job.kind, open.job.type)
    if (mistakes.length > 0) return { kind: 'wrong', mistakes }
    const digest = digestOf(outcome)
    const before = this.#ending.get(executionID)
    if (before !== undefined) return before.digest === digest ? before.answer : { kind: 'conflict' }
    return this.#end(open, open.grant, outcome, digest)
  }

  lateEvidence(principal: string, asked: v2.LateEvidenceRequest): Promise<Received | Refusal> {
    const {
      executionID,
      evidenceID,
      originalReceiptID,
      evidence = [],
      diagnostic = null,
      data = null,
    } = asked
    return this.#oneByOne(executionID, async () => {
      const record = await this.#options.store.readExecution(executionID)
      if (record === null || record.principal !== principal || record.end === null)
        return { kind: 'not found' }
      if (receiptIdOf(record) !== originalReceiptID) return { kind: 'not found' }
      const words = {
        digest: digestOf({ evidence, diagnostic, data }),
        status: null,
        evidence,
        diagnostic,
        data,
      }
      return this.#append(record, record.end, { id: `evidence ${evidenceID}`, ...words })
    })
  }

  /** What is to be said of a job that is not open: it has ended, or never was this principal's. */
  async #startOfEnded(principal: string, executionId: string): Promise<Started | Refusal> {
    const record = await this.#options.store.readExecution(executionId)
    if (record === null || record.principal !== principal) return { kind: 'not found' }
    const { end, deadline } = record
    if (end === null) return { disposition: 'pending', grantId: '', deadline, receiptId: '' }
    const disposition = end.disposition === 'unknown' ? 'unknown' : 'terminal'
    return { disposition, grantId: '', deadline, receiptId: receiptIdOf(record) }
  }

  #storeGrant(open: OpenJob, grant: Grant): Promise<boolean> {
    const { promise, resolve: settle } = Promise.withResolvers<boolean>()
    if (this.#starting.push({ open, grant, settle }) === 1) void nextMoment().then(() => this.#storeGrants())
    return promise
  }

  async #storeGrants(): Promise<void> {
    const { jobs, engine } = this.#options
    const { table } = jobs
    const starting = this.#starting
    this.#starting = []
    const isStored = await engine.grant((turn) => {
      for (const { open, grant } of starting) {
        turn.keepExecution(jobs.record(open, grant, null))
        if (open.job.check !== null) turn.checkGranted(open.job.check.row)
      }
      turn.afterCommit(() => {
        for (const { open } of starting) table.granted(open)
      })
    })
    for (const { open, settle } of starting) {
      if (!isStored) table.notGranted(open)
      settle(isStored)
    }
  }

  #end(open: OpenJob, grant: Grant, outcome: v2.Outcome, digest: string): Promise<Received | Refusal> {
    const { promise: answer, resolve: settle } = Promise.withResolvers<Received | Refusal>()
    const ending = { open, grant, outcome, digest, answer, settle }
    this.#ending.set(open.job.executionId, ending)
    if (this.#reported.push(ending) === 1) void nextMoment().then(() => this.#storeResults())
    return answer
  }

  async #storeResults(): Promise<void> {
    const { jobs, engine } = this.#options
    const reported = this.#reported
    this.#reported = []
    const inTime: Ending[] = []
    const end = await engine.worked((turn) => {
      for (const ending of reported) {
        const { open, grant, outcome } = ending
        // Its deadline came first, by a moment.
        if (open.state !== 'started') continue
        inTime.push(ending)
        const disposition = dispositionOf(outcome)
        turn.keepExecution(
          jobs.record(open, grant, { at: turn.now, disposition, report: storedReport(outcome) }),
        )
        jobs.table.end(open)
        if (open.job.check === null) turn.endAction(open.job.executionId, actionOutcomeOf(outcome))
        else {
          const latencyMs = latencyOf(outcome)
          const words = { status: checkStatusOf(outcome), reason: wordsOf(outcome) }
          jobs.takeResult(turn, open, latencyMs === null ? words : { ...words, latencyMs })
        }
      }
    })
    for (const ending of reported) {
      const { open, grant, outcome, settle } = ending
      this.#ending.delete(open.job.executionId)
      if (end !== 'stored') settle({ kind: 'unavailable' })
      else if (inTime.includes(ending)) settle(receiptOf(open.job.executionId, dispositionOf(outcome)))
      else settle(await this.#afterTheEnd(grant.worker.principal, outcome))
    }
  }

  /** A report again, or one that comes too late, which is kept as evidence and changes nothing that was decided. */
  #afterTheEnd(principal: string, outcome: v2.Outcome): Promise<Received | Refusal> {
    const { executionID, grantID } = outcome
    return this.#oneByOne(executionID, async () => {
      const record = await this.#options.store.readExecution(executionID)
      if (record === null || record.principal !== principal || record.grantId !== grantID)
        return { kind: 'not found' }
      const { end } = record
      // It is open in the store, and the end of it is being written.
      if (end === null) return { kind: 'unavailable' }
      const { digest, ...words } = storedReport(outcome)
      if (end.report !== null)
        return end.report.digest === digest ? receiptOf(record.id, end.disposition) : { kind: 'conflict' }
      return this.#append(record, end, { id: 'result', digest, ...words })
    })
  }

  async #append(
    record: StoredExecution,
    { disposition }: ExecutionEnd,
    piece: Omit<LateEvidence, 'at'>,
  ): Promise<Received | Refusal> {
    const { engine } = this.#options
    const known = record.late.find(({ id }) => id === piece.id)
    if (known !== undefined)
      return known.digest === piece.digest ? receiptOf(record.id, disposition) : { kind: 'conflict' }
    if (record.late.length >= mostLateEvidence) return { kind: 'wrong', mistakes: [tooMuch] }
    const end = await engine.worked((turn) =>
      turn.keepExecution({ ...record, late: [...record.late, { ...piece, at: turn.now }] }),
    )
    return end === 'stored' ? receiptOf(record.id, disposition) : { kind: 'unavailable' }
  }

  async #oneByOne(executionId: string, work: () => Promise<Received | Refusal>): Promise<Received | Refusal> {
    const before = this.#late.get(executionId)
    const turn = before === undefined ? work() : before.then(work, work)
    this.#late.set(executionId, turn)
    try {
      return await turn
    } finally {
      if (this.#late.get(executionId) === turn) this.#late.delete(executionId)
    }
  }
}

const tooMuch: ReportMistake = {
  field: '/evidenceID',
  reason: 'rule',
  message: `is one more piece of evidence than the ${mostLateEvidence} that a job may have after its end`,
}

/** A receipt belongs to its job and never changes. */
function receiptIdOf({ id }: Pick<StoredExecution, 'id'>): string {
  return `receipt-${id}`
}

function receiptOf(executionId: string, disposition: ExecutionEnd['disposition']): Received {
  return { receiptId: receiptIdOf({ id: executionId }), disposition }
}
