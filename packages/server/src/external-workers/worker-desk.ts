// external-workers/worker-desk.ts: answers the requests of workers: starts, heartbeats and results. A grant
// is on disk before it is given, and a result before it gets a receipt. Calls that arrive in the same event
// loop turn are committed together. A worker sees only jobs that it was offered or granted.

import { setImmediate as nextMoment } from 'node:timers/promises'
import type { v2 } from '@pulseward/contract'
import type { Engine } from '../engine/engine.ts'
import { receiptIdOf } from '../store/execution.ts'
import type { Store } from '../store/store.ts'
import type { CheckResult } from './check-results.ts'
import type { ExternalJobs } from './external-jobs.ts'
import type { LateReports } from './late-reports.ts'
import type { Grant, OpenJob } from './lease-table.ts'
import { type Received, type Refusal, receiptOf } from './receipt.ts'
import {
  actionOutcomeOf,
  checkWordsOf,
  digestOf,
  dispositionOf,
  reportMistakes,
  statementOf,
} from './report.ts'

export interface WorkerDeskOptions {
  readonly jobs: ExternalJobs
  readonly engine: Pick<Engine, 'request'>
  readonly store: Pick<Store, 'readExecution'>
  readonly late: LateReports
}

export interface Started {
  readonly disposition: v2.StartResponse['disposition']
  readonly grantId: string
  readonly deadline: number
  readonly receiptId: string
}

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
    if (!isTheirs) return { kind: 'not found' }
    jobs.fenced(executionID)
    return { accepted: false }
  }

  async result(principal: string, outcome: v2.Outcome): Promise<Received | Refusal> {
    const { jobs } = this.#options
    const { executionID, grantID } = outcome
    const open = jobs.table.running(principal, executionID, grantID)
    if (open === null || open.grant === null) return this.#options.late.report(principal, outcome)
    const mistakes = reportMistakes(outcome, open.job.kind, open.job.type)
    if (mistakes.length > 0) return { kind: 'wrong', mistakes }
    const digest = digestOf(outcome)
    const before = this.#ending.get(executionID)
    if (before !== undefined) return before.digest === digest ? before.answer : { kind: 'conflict' }
    return this.#end(open, open.grant, outcome, digest)
  }

  /** Answers a start of a job that is not open: it has ended, or was never this principal's. */
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
    const end = await engine.request('withdrawn', (turn) => {
      for (const { open, grant } of starting) {
        turn.keepExecution(jobs.record(open, grant, null))
        if (open.job.check !== null) turn.checkStarted(open.job.check.row)
      }
      turn.afterCommit(() => {
        for (const { open } of starting) table.granted(open)
      })
    })
    for (const { open, settle } of starting) {
      if (end !== 'stored') table.notGranted(open)
      settle(end === 'stored')
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
    const inTime = new Set<Ending>()
    const end = await engine.request('told', (turn) => {
      const results: CheckResult[] = []
      for (const ending of reported) {
        const { open, grant, outcome, digest } = ending
        // The deadline passed while the report was waiting for this turn.
        if (open.state !== 'started') continue
        inTime.add(ending)
        const disposition = dispositionOf(outcome)
        const report = { digest, status: outcome.status }
        turn.keepExecution(jobs.record(open, grant, { at: turn.now, disposition, report }))
        turn.keepStatement(statementOf('report', outcome))
        jobs.table.end(open)
        if (open.job.check === null) turn.endAction(open.job.executionId, actionOutcomeOf(outcome))
        const result = jobs.resultOf(open, checkWordsOf(outcome))
        if (result !== null) results.push(result)
      }
      jobs.takeResults(turn, results)
      turn.startActions()
    })
    for (const ending of reported) {
      const { open, grant, outcome, settle } = ending
      this.#ending.delete(open.job.executionId)
      if (end !== 'stored') settle({ kind: 'unavailable' })
      else if (inTime.has(ending)) {
        jobs.table.counts.noteResult(open.job.kind, outcome.status)
        settle(receiptOf(open.job.executionId, dispositionOf(outcome)))
      } else settle(await this.#options.late.report(grant.worker.principal, outcome))
    }
  }
}
