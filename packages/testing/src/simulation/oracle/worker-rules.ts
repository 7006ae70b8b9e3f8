// simulation/oracle/worker-rules.ts: what must hold between the service and external workers, by what was offered,
// answered and written, over all processes: an execution is granted once, when that is on disk; a started job is never
// offered again, and a job that was not started is; it ends once, by its report or at its deadline.
import type { v2 } from '@pulseward/contract'
import type { Job } from '@pulseward/server/internal/external-workers/job.ts'
import type { Received, Refusal } from '@pulseward/server/internal/external-workers/receipt.ts'
import type { Started } from '@pulseward/server/internal/external-workers/worker-desk.ts'
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { StoredExecution, WorkerStatement } from '@pulseward/server/internal/store/execution.ts'
import type { CommitBatch, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import { count, type Tally } from '../tally.ts'
import { DeadlineRules } from './deadline-rules.ts'
import type { Findings } from './findings.ts'
import { type Asked, OfferRules, type OpenJob } from './offer-rules.ts'
import { ReceiptRules } from './receipt-rules.ts'
import type { Scene } from './scene.ts'
import { Executions } from './worker-executions.ts'

export interface Ended {
  readonly execution: StoredExecution
  /** Null if an earlier process had offered it. */
  readonly job: Job | null
  /** What had ended before it in the same turn. */
  readonly before: ReadonlySet<string>
}

export interface WorkerRulesOptions {
  readonly scene: Scene
  readonly findings: Findings
  readonly tally: Tally
  readonly revoked: ReadonlySet<string>
  /** A worker's action has ended, with this outcome. */
  readonly actionEnded: (actionId: string, outcome: ActionOutcome) => void
  /** No worker took the action in time. */
  readonly actionDropped: (actionId: string) => void
  readonly checkEnded: (ended: Ended) => void
  readonly checkMissed: (job: Job) => void
  readonly granted: (actionId: string) => void
}

export class WorkerRules {
  /** Nothing can be stored now, or the service takes no calls. */
  isUnavailable: () => boolean = () => false
  readonly #options: WorkerRulesOptions
  readonly #executions = new Executions()
  readonly #receipts: ReceiptRules
  readonly #open = new Map<string, OpenJob>()
  readonly #deadlines: DeadlineRules
  readonly #offers: OfferRules
  /** Actions that no worker took. */
  readonly #dropped = new Set<string>()

  constructor(options: WorkerRulesOptions) {
    this.#options = options
    const { findings, scene, tally, revoked } = options
    this.#deadlines = new DeadlineRules(scene, findings)
    this.#offers = new OfferRules({
      ...{ scene, findings, tally, revoked },
      open: this.#open,
      executions: this.#executions,
      deadlines: this.#deadlines,
    })
    this.#receipts = new ReceiptRules(findings, this.#executions, () => scene.running.parts.time.now())
  }

  /** Whether a worker has this started action, according to the disk. */
  isGranted(actionId: string): boolean {
    return this.#executions.onDisk(actionId)?.end === null
  }

  wasGranted(actionId: string): boolean {
    return this.#executions.has(actionId)
  }

  isOffered(actionId: string): boolean {
    return this.#open.has(actionId)
  }

  /** Checks and actions that workers were granted and that have not ended. */
  running(): Iterable<StoredExecution> {
    return this.#executions.running()
  }

  processStarted(): void {
    this.#open.clear()
    this.#offers.processStarted()
    for (const execution of this.#executions.running()) {
      this.#deadlines.resumed(execution)
      if (execution.kind !== 'check') this.#options.granted(execution.id)
    }
  }

  processEnded(): void {
    this.#executions.forgetPending()
    this.#receipts.processEnded()
    this.#open.clear()
  }

  jobCame(job: Job): void {
    this.sweep()
    if (this.#open.has(job.executionId) || this.#executions.latest(job.executionId) !== undefined)
      this.#note('granted once', `${job.executionId} comes up a second time`)
    const monitor = job.check === null ? undefined : this.#options.scene.monitor(job.monitorId ?? '')
    this.#open.set(job.executionId, { job, monitor, isUnwanted: false, lease: null, starting: 0 })
  }

  /** Another fleet is in force. */
  fleetChanged(): void {
    for (const open of this.#open.values())
      open.isUnwanted ||=
        open.job.check !== null && this.#options.scene.monitor(open.job.monitorId ?? '') !== open.monitor
  }

  /** Its monitor was snoozed, or its snooze has ended. */
  silenced(monitorId: string): void {
    for (const open of this.#open.values())
      open.isUnwanted ||= open.job.check !== null && open.job.monitorId === monitorId
  }

  /** A check that is no longer wanted and that no worker took makes room for the next one of its monitor. */
  giveUpUnwanted(executionId: string): void {
    const open = this.#open.get(executionId)
    if (!open?.isUnwanted || open.starting > 0 || this.#executions.has(executionId)) return
    this.#open.delete(executionId)
    this.#options.checkMissed(open.job)
  }

  /** The end of a job whose worker did not report before its deadline; null if it is not overdue. */
  overdue(executionId: string): Ended | null {
    const execution = this.#executions.latest(executionId)
    if (execution === undefined || execution.end !== null || !this.#deadlines.isOver(executionId)) return null
    const at = this.#options.scene.running.parts.time.now()
    const end = { at, disposition: 'unknown', report: null } as const
    return {
      execution: { ...execution, end },
      job: this.#open.get(executionId)?.job ?? null,
      before: new Set(),
    }
  }

  offered(asked: Asked): void {
    this.#offers.offered(asked)
  }

  /** Returns a function that must be called with the answer. */
  starting(principal: string, asked: v2.StartRequest): (answer: Started | Refusal) => void {
    const { executionID: id, leaseID, executionRevision } = asked
    const open = this.#open.get(id)
    const lease = open?.lease ?? null
    const arrivedMs = this.#nowMs
    const isInTime = lease !== null && arrivedMs < Math.min(lease.untilMs, open?.job.startByMs ?? 0)
    const isTheirs = lease?.id === leaseID && lease.principal === principal
    const isRight = isTheirs && isInTime && String(lease.revision) === executionRevision
    const wasFree = this.#executions.latest(id) === undefined && open?.starting === 0
    const wasUnavailable = this.#mayBeUnavailable(id)
    if (open !== undefined && isRight) open.starting++
    if (isRight && wasFree) this.#deadlines.begins(id, open.job.timeoutMs)
    return (answer) => {
      if (open !== undefined && isRight) open.starting--
      if ('kind' in answer) {
        const isWrong =
          answer.kind === 'unavailable'
            ? !wasUnavailable && !this.#mayBeUnavailable(id)
            : this.#executions.onDisk(id)?.principal === principal || (isRight && this.#open.get(id) === open)
        if (isWrong)
          this.#note('starts', `${id} by ${principal} was refused without a reason: ${answer.kind}`)
        return
      }
      this.#judgeStart(id, principal, answer, isRight && wasFree)
    }
  }

  heartbeatAnswered(
    { executionID }: v2.HeartbeatRequest,
    answer: { readonly accepted: boolean } | Refusal,
  ): void {
    if ('kind' in answer) return this.#note('heartbeats', `${executionID} beats, and is ${answer.kind}`)
    const isRunning = this.#executions.latest(executionID)?.end === null
    if (answer.accepted !== isRunning)
      this.#note('heartbeats', `${executionID} beats: ${answer.accepted} while it runs: ${isRunning}`)
  }

  reporting(principal: string, outcome: v2.Outcome): (answer: Received | Refusal) => void {
    const wasUnavailable = this.#mayBeUnavailable(outcome.executionID)
    const told = this.#receipts.reporting(principal, outcome)
    return (answer) => told(answer, wasUnavailable || this.#mayBeUnavailable(outcome.executionID))
  }

  addingEvidence(principal: string, asked: v2.LateEvidenceRequest): (answer: Received | Refusal) => void {
    const wasUnavailable = this.#mayBeUnavailable(asked.executionID)
    return (answer) =>
      this.#receipts.evidenceAnswered(
        principal,
        asked,
        answer,
        wasUnavailable || this.#mayBeUnavailable(asked.executionID),
      )
  }

  handedOver({ executions, statements, events }: CommitBatch): void {
    const ended = new Set<string>()
    this.#offers.noticeLapses()
    for (const execution of executions) {
      const before = this.#executions.latest(execution.id)
      this.#judgeRecord(before, execution)
      this.#executions.handOver(execution)
      if (execution.end === null || (before?.end ?? null) !== null) continue
      this.#end(execution, reportOf(execution, statements), new Set(ended))
      ended.add(execution.id)
    }
    for (const event of events) this.#judgeActionEnd(event, ended)
  }

  written({ executions, statements }: CommitBatch): void {
    for (const statement of statements) this.#executions.writeStatement(statement)
    for (const execution of executions) {
      if (this.#executions.onDisk(execution.id) === undefined) {
        this.#offers.granted(execution)
        this.#deadlines.stored(execution.id)
        if (execution.kind !== 'check') this.#options.granted(execution.id)
      }
      this.#executions.write(execution)
      // An end that a crash undoes is followed by another one.
      if (execution.end !== null) this.#deadlines.forget(execution.id)
      this.#receipts.written(execution)
    }
  }

  withdrawn({ executions }: CommitBatch): void {
    for (const execution of executions) this.#executions.withdraw(execution)
  }

  /** Whether a worker has ended it, or no worker took it: such ends come between other inputs of a turn. */
  isOfWorker(actionId: string): boolean {
    return this.#open.has(actionId) || this.#executions.has(actionId) || this.#dropped.has(actionId)
  }

  /** The process has just run a turn. */
  ticked(): void {
    this.sweep()
    for (const { id } of this.#executions.running()) this.#deadlines.judgeRunning(id)
  }

  /** Called long after everything has recovered. */
  ended(): void {
    for (const [id, { starting }] of this.#open)
      if (starting > 0) this.#note('answers', `the start of ${id} was never answered`)
  }

  get #nowMs(): number {
    return this.#options.scene.clock.monotonicMs()
  }

  #mayBeUnavailable(id: string): boolean {
    return this.isUnavailable() || this.#executions.isPending(id)
  }

  /** Ends checks that no worker took in time. */
  sweep(): void {
    this.#offers.noticeLapses()
    for (const [id, { job, starting }] of this.#open) {
      if (job.check === null || starting > 0 || this.#executions.has(id)) continue
      if (this.#nowMs < job.startByMs) continue
      count(this.#options.tally.workers, 'check missed')
      this.#open.delete(id)
      this.#options.checkMissed(job)
    }
  }

  #judgeStart(id: string, principal: string, answer: Started, mayGrant: boolean): void {
    const { disposition, grantId, receiptId } = answer
    const stored = this.#executions.onDisk(id)
    const latest = this.#executions.latest(id)
    switch (disposition) {
      case 'granted': {
        if (this.#offers.wasBegun(id)) this.#note('granted once', `${id} is granted again, to ${principal}`)
        this.#offers.begun(id)
        if (stored === undefined || stored.grantId !== grantId || stored.principal !== principal)
          this.#note('granted when on disk', `${principal} is granted ${id}, and the disk does not say so`)
        if (!mayGrant) this.#note('leases end', `${id} is granted to ${principal} without a lease`)
        return
      }
      case 'rejected':
        if (mayGrant && latest === undefined && this.#open.has(id))
          this.#note('starts', `${id} was offered to ${principal}, and its start is rejected`)
        return
      case 'started':
      case 'pending':
        return
      case 'terminal':
      case 'unknown':
        if (stored?.end == null || (stored.end.disposition === 'unknown') !== (disposition === 'unknown'))
          this.#note('starts', `${id} is ${disposition}, and the disk says otherwise`)
        this.#receipts.named(id, receiptId)
    }
  }

  #judgeRecord(before: StoredExecution | undefined, execution: StoredExecution): void {
    const { id, grantId, end, principal } = execution
    if (before === undefined) {
      const { timeoutMs } = this.#open.get(id)?.job ?? { timeoutMs: null }
      if (timeoutMs !== null) this.#deadlines.judgeGrant(execution, timeoutMs)
      return
    }
    if (before.grantId !== grantId || before.principal !== principal)
      this.#note('granted once', `${id} was granted to ${before.principal}, and is to ${principal}`)
    const was = before.end
    if (was === null) return
    if (end === null || end.disposition !== was.disposition || end.at !== was.at)
      this.#note('a verdict is final', `${id} was ${was.disposition}, and is ${end?.disposition ?? 'open'}`)
    else if (end.report?.digest !== was.report?.digest)
      this.#note('another result is refused', `${id} has another report than before`)
    if (execution.late.length < before.late.length)
      this.#note('a verdict is final', `${id} has lost what was said of it later`)
  }

  #end(execution: StoredExecution, said: WorkerStatement | undefined, before: ReadonlySet<string>): void {
    const { id, kind, end } = execution
    const open = this.#open.get(id)
    const report = end?.report ?? null
    count(this.#options.tally.compared, 'executions')
    if (report === null) this.#deadlines.judgeGivenUp(id)
    else if (said === undefined)
      this.#note('words are kept', `${id} ends as ${report.status}, without what its worker said`)
    else if (!this.#receipts.wasSaid(id, report.status, said.diagnostic))
      this.#note('a verdict is final', `${id} ends as ${report.status}, which nobody has said`)
    this.#open.delete(id)
    if (kind === 'check') this.#options.checkEnded({ execution, job: open?.job ?? null, before })
    else this.#options.actionEnded(id, outcomeOf(report?.status ?? 'unknown'))
  }

  /** A granted action ends by its report or at its deadline; an action that no worker took was not done. */
  #judgeActionEnd({ type, actionId }: StoredEvent, ended: ReadonlySet<string>): void {
    if (actionId === null || !/^action_(unknown|failed|succeeded)$/.test(type)) return
    if (ended.has(actionId)) return
    const isOfWorkers = this.#open.has(actionId) || this.#executions.latest(actionId)?.end === null
    if (!isOfWorkers) return
    if (this.#executions.latest(actionId) !== undefined)
      this.#note('granted ends by report or deadline', `${actionId} is ${type} while its worker has it`)
    else if (type === 'action_unknown')
      this.#note('offered is not unknown', `${actionId} was only offered, and is unknown`)
    else if (type === 'action_succeeded')
      this.#note('offered is not unknown', `${actionId} was only offered, and is done`)
    this.#open.delete(actionId)
    this.#dropped.add(actionId)
    this.#options.actionDropped(actionId)
  }

  #note(rule: string, words: string): void {
    this.#options.findings.note(rule, words)
  }
}

/** The report that came in time, from the batch that ends the job. */
function reportOf(
  { id }: StoredExecution,
  statements: readonly WorkerStatement[],
): WorkerStatement | undefined {
  return statements.find((one) => one.executionId === id && one.id === 'report')
}

/** What the report of a worker means for its action. */
function outcomeOf(status: string): ActionOutcome {
  switch (status) {
    case 'accepted':
    case 'completed':
    case 'delivered':
      return { kind: 'accepted' }
    case 'rejected':
      return { kind: 'rejected', reason: '' }
    default:
      return { kind: 'unknown', reason: '' }
  }
}
