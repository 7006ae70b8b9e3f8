// external-workers/external-jobs.ts: workers outside the service as a source. Due checks and started actions
// become jobs that are offered to workers. A job ends by timeout if no worker starts it, or if its worker
// does not report. Requests from workers arrive through worker-desk.ts.
import type { ExternalConfig } from '../config/external-driver.ts'
import type { Instant } from '../deciding/health/health.ts'
import type { Source, SourceTurn } from '../engine/source.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { JobTypeInForce } from '../kinds/job-type-in-force.ts'
import { notSent, unknown } from '../platform/action-outcome.ts'
import type { Clock } from '../platform/clock.ts'
import type { ExecutionEnd, StoredExecution } from '../store/execution.ts'
import type { Recovered } from '../store/store.ts'
import { type CheckResult, resultBatch } from './check-results.ts'
import { capabilityKey, type Job } from './job.ts'
import type { JobBoard, JobTerms } from './job-board.ts'
import { type Grant, type Lapse, LeaseTable, type Offer, type OpenJob } from './lease-table.ts'
import { type Alarm, LongPolls, type Poll } from './long-polls.ts'
import { WorkerActions } from './worker-actions.ts'
import { WorkerChecks } from './worker-checks.ts'

export interface ExternalJobsOptions {
  readonly fleet: Fleet
  readonly clock: Clock
  readonly ids: () => string
  /** Returns the job type that is in force now. */
  readonly jobType: (id: string) => JobTypeInForce | null
  /** How many polls may wait at the same time. */
  readonly mostPolls: number
  /** Timer that ends polls after their wait; defaults to setTimeout. */
  readonly alarm?: Alarm
}

/** What the running engine knows about a monitor. */
interface EngineFacts {
  now(): Instant
  revisionOf(monitorId: string, row: number): number | undefined
}

/**
 * A worker stops a job at its deadline. If it was not heard from for this long afterwards, it is assumed to have stopped.
 */
const fencedAfterMs = 60_000
const noReport = 'the worker did not report by the deadline'
/** How often leftover jobs are offered to doubtful workers, and silent workers are forgotten. */
const sweepEveryMs = 1_000
/** The fewest offers in the answer to a poll, as long as that many jobs are waiting. */
const leastShare = 16

export class ExternalJobs implements Source, JobBoard {
  readonly table: LeaseTable
  readonly polls: LongPolls<readonly Offer[]>
  readonly checks: WorkerChecks
  readonly actions: WorkerActions
  readonly #options: ExternalJobsOptions
  #facts: EngineFacts | null = null
  /** Capabilities with new jobs since the last `serve`. */
  readonly #fresh = new Set<string>()
  /** Actions that ended without a report, and until when their worker may still be carrying them out. */
  readonly #unfenced = new Map<string, number>()
  #sweptMs = 0

  constructor(options: ExternalJobsOptions) {
    this.#options = options
    this.table = new LeaseTable(options.ids)
    this.polls = new LongPolls(options.mostPolls, options.alarm)
    this.checks = new WorkerChecks(this, options.fleet, options.ids)
    this.actions = new WorkerActions(this)
  }

  get nowMs(): number {
    return this.#options.clock.monotonicMs()
  }

  /** Called before the engine starts, with the grants that previous processes gave. */
  connect(
    facts: EngineFacts,
    { executions, restoredFrom }: Pick<Recovered, 'executions' | 'restoredFrom'>,
  ): void {
    this.#facts = facts
    for (const execution of executions) this.#restore(execution, restoredFrom !== null)
  }

  /**
   * Puts restored checks back in flight. A check whose monitor has changed stays out: its report gets a
   * receipt and changes nothing.
   */
  resume(turn: SourceTurn): void {
    const { fleet } = this.#options
    for (const open of this.table.started()) {
      const { check, monitorId, revision } = open.job
      const row = check === null || monitorId === null ? -1 : fleet.rowOf(monitorId)
      if (row < 0 || monitorId === null || this.revisionOf(monitorId, row) !== revision) continue
      const generation = turn.checkResumed(row)
      if (generation !== null) open.job = { ...open.job, check: { row, generation } }
    }
  }

  /** Converts a monotonic time to the service's own time. */
  at(monotonicMs: number): Instant {
    return this.#engine.now() + monotonicMs - this.nowMs
  }

  /** Offers for a poll that has just arrived or is waiting. */
  offersFor({ worker, capabilities, capacity, limit }: Poll, atMost = limit): readonly Offer[] {
    const { roster } = this.table
    const seen = roster.seen(worker, this.nowMs, capacity)
    return this.table.offer(seen, capabilities, Math.min(limit, atMost), this.nowMs)
  }

  advance(turn: SourceTurn): void {
    const { nowMs } = this
    for (const lapse of this.table.advance(nowMs)) this.#lapsed(turn, lapse)
    if (nowMs - this.#sweptMs < sweepEveryMs) return
    this.#sweptMs = nowMs
    this.table.roster.forget(nowMs)
    for (const [id, untilMs] of this.#unfenced) if (untilMs <= nowMs) this.#unfenced.delete(id)
    for (const key of this.table.keysWaiting()) this.#fresh.add(key)
    this.serve()
  }

  get nextDueMs(): number | null {
    const lapseMs = this.table.nextLapseMs
    return lapseMs === null ? null : Math.min(lapseMs, this.#sweptMs + sweepEveryMs)
  }

  /**
   * Whether the worker may still be running this action: its deadline passed recently, and the worker has not
   * reported since.
   */
  mayStillRun(executionId: string): boolean {
    return (this.#unfenced.get(executionId) ?? 0) > this.nowMs
  }

  /** The worker has ended the action, or was told to end it. */
  fenced(executionId: string): void {
    this.#unfenced.delete(executionId)
  }

  /** The execution as the store keeps it, from its grant on. */
  record(
    { job }: OpenJob,
    { id, worker, deadlineMs, revision: offerRevision }: Grant,
    end: ExecutionEnd | null,
  ): StoredExecution {
    const { executionId, kind, jobType, version, monitorId, revision, timeoutMs } = job
    const deadline = this.at(deadlineMs)
    return {
      id: executionId,
      kind,
      jobType,
      version,
      monitorId,
      revision,
      principal: worker.principal,
      workerId: worker.workerId,
      grantId: id,
      ...(offerRevision === null ? {} : { offerRevision }),
      grantedAt: deadline - timeoutMs,
      deadline,
      end,
      late: [],
    }
  }

  termsOf({ jobType, profile }: ExternalConfig, ownTimeoutMs: number): JobTerms {
    const inForce = this.#options.jobType(jobType)
    const timeoutMs = Math.min(ownTimeoutMs, inForce?.timeoutMs ?? Number.POSITIVE_INFINITY)
    return { jobType, type: inForce, version: inForce?.version ?? '', profile, timeoutMs }
  }

  revisionOf(monitorId: string, row: number): number | null {
    return this.#engine.revisionOf(monitorId, row) ?? null
  }

  put(job: Job): void {
    this.table.add(job, this.nowMs)
    this.#fresh.add(capabilityKey(job))
  }

  cancel(row: number): boolean {
    return this.table.cancel(row)
  }

  get #engine(): EngineFacts {
    if (this.#facts === null) throw new Error('external jobs are not connected to an engine')
    return this.#facts
  }

  /**
   * Offers new jobs to the polls that have waited longest. Each poll gets an even share, but at least
   * `leastShare` jobs, because answering a poll with only a few is not worth it.
   */
  serve(): void {
    for (const key of this.#fresh) {
      const waitingPolls = this.polls.waitingFor(key)
      let left = waitingPolls.size
      for (const poll of waitingPolls) {
        const waiting = this.table.waiting(key)
        if (waiting === 0) break
        const offers = this.offersFor(poll, Math.max(leastShare, Math.ceil(waiting / left--)))
        if (offers.length > 0) poll.answer(offers)
      }
    }
    this.#fresh.clear()
  }

  #lapsed(turn: SourceTurn, { open, why }: Lapse): void {
    const { job, grant } = open
    const { check, executionId } = job
    if (why === 'not started') {
      if (check !== null) turn.checkNotTaken(check.row)
      else turn.endAction(executionId, notSent('no worker took it in time'))
      return
    }
    if (grant !== null)
      turn.keepExecution(this.record(open, grant, { at: turn.now, disposition: 'unknown', report: null }))
    if (check === null) {
      this.#unfenced.set(executionId, this.nowMs + fencedAfterMs)
      turn.endAction(executionId, unknown(noReport))
      return
    }
    const result = this.resultOf(open, { status: 'no_data', reason: noReport })
    if (result !== null) this.takeResults(turn, [result])
  }

  takeResults(turn: SourceTurn, results: readonly CheckResult[]): void {
    if (results.length > 0) turn.takeResults(this.checks, resultBatch(results))
  }

  /**
   * The result of a check. A check that is no longer wanted still frees its place in the schedule. Null for a
   * job without a place in the schedule.
   */
  resultOf({ job, grant }: OpenJob, result: CheckResultWords): CheckResult | null {
    const { check, timeoutMs } = job
    if (check === null || check.row < 0) return null
    const { row, generation } = check
    const finishedMs = this.nowMs
    const grantedMs = (grant?.deadlineMs ?? finishedMs) - timeoutMs
    const { status, reason, latencyMs = finishedMs - grantedMs } = result
    const workerId = grant?.worker.workerId ?? null
    return { row, generation, status, grantedMs, finishedMs, latencyMs, reason, workerId }
  }

  #restore(execution: StoredExecution, isOfBackup: boolean): void {
    const { id, kind, jobType, version, monitorId, revision, grantId, grantedAt, deadline } = execution
    const { offerRevision = null } = execution
    const timeoutMs = deadline - grantedAt
    // If the clock was ahead when the grant was given, the deadline must not be longer than the timeout.
    const remainingMs = isOfBackup ? 0 : Math.min(timeoutMs, Math.max(0, deadline - this.#engine.now()))
    const inForce = this.#options.jobType(jobType)
    const job: Job = {
      executionId: id,
      kind,
      jobType,
      type: inForce?.version === version ? inForce : null,
      version,
      monitorId,
      revision,
      parameters: null,
      profile: '',
      timeoutMs,
      startByMs: this.nowMs,
      check: kind === 'check' ? { row: -1, generation: 0 } : null,
    }
    const worker = { principal: execution.principal, workerId: execution.workerId }
    this.table.restore(job, {
      id: grantId,
      worker,
      deadlineMs: this.nowMs + remainingMs,
      revision: offerRevision,
    })
  }
}

interface CheckResultWords {
  readonly status: 'success' | 'failure' | 'timeout' | 'no_data'
  /** Defaults to the time since the grant. */
  readonly latencyMs?: number
  readonly reason: string | null
}
