// simulation/oracle/worker-rules.ts: what must hold between the service and workers outside of it, by what was offered,
// answered and written, over all processes: an execution is granted once and when that is on disk; what was started is
// never offered again, what was not is; it ends once, by its report or at its deadline.
import type { v2 } from '@pulseward/contract'
import type { Capability, Job } from '@pulseward/server/internal/external-workers/job.ts'
import type { Offer } from '@pulseward/server/internal/external-workers/lease-table.ts'
import type { Received, Refusal } from '@pulseward/server/internal/external-workers/receipt.ts'
import type { Started } from '@pulseward/server/internal/external-workers/worker-desk.ts'
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { StoredExecution } from '@pulseward/server/internal/store/execution.ts'
import type { CommitBatch, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import { count, type Tally } from '../tally.ts'
import type { Findings } from './findings.ts'
import { ReceiptRules } from './receipt-rules.ts'
import type { Scene } from './scene.ts'
import { Executions } from './worker-executions.ts'

const leaseMs = 5_000
/** A turn comes at least so often; then what time has ended is over. */
const noticedMs = 1_200
/** Service time may be so far off the wall clock that the next process begins with. */
const timeOffMs = 2_300
const silentMs = 9 * 60_000

interface WorkerKey {
  readonly principal: string
  readonly workerId: string
}

interface Lease extends WorkerKey {
  readonly id: string
  readonly revision: number
  readonly untilMs: number
}

/** One that this process has to have done. */
interface OpenJob {
  readonly job: Job
  lease: Lease | null
  /** Starts that wait for their answer. */
  starting: number
}

/** How long a grant lasts, as far as it is known here. */
interface Deadline {
  readonly process: number
  /** By the monotonic clock of the process that runs: not before, and not much after. */
  readonly fromMs: number
  byMs: number
  storedMs: number
  /** The same in true time, for later processes. */
  readonly fromTrueMs: number
  readonly wallAheadMs: number
}

export interface Ended {
  readonly execution: StoredExecution
  /** Null when an earlier process had offered it. */
  readonly job: Job | null
  /** What had ended before it in the same turn. */
  readonly before: ReadonlySet<string>
}

export interface WorkerRulesOptions {
  readonly scene: Scene
  readonly findings: Findings
  readonly tally: Tally
  readonly revoked: ReadonlySet<string>
  /** An action of a worker has ended, and how. */
  readonly actionEnded: (actionId: string, outcome: ActionOutcome) => void
  /** Nobody has taken it, and nobody will. */
  readonly actionDropped: (actionId: string) => void
  readonly checkEnded: (ended: Ended) => void
  readonly checkMissed: (job: Job) => void
  readonly granted: (actionId: string) => void
}

export class WorkerRules {
  /** Nothing can be stored now, or nothing is taken. */
  isUnavailable: () => boolean = () => false
  readonly #options: WorkerRulesOptions
  readonly #executions = new Executions()
  readonly #receipts: ReceiptRules
  readonly #open = new Map<string, OpenJob>()
  readonly #deadlines = new Map<string, Deadline>()
  readonly #grants = new Set<string>()
  /** Workers that let an offer pass since they started anything. */
  readonly #inDoubt = new Set<string>()
  readonly #perhapsInDoubt = new Set<string>()
  /** Leases that passed and were seen to. */
  readonly #lapsed = new Set<string>()
  /** Actions that nobody took. */
  readonly #dropped = new Set<string>()
  readonly #seenMs = new Map<string, number>()

  constructor(options: WorkerRulesOptions) {
    this.#options = options
    const { findings, scene } = options
    this.#receipts = new ReceiptRules(findings, this.#executions, () => scene.running.parts.time.now())
  }

  /** Of a started action: whether a worker has it, by the disk. */
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
    this.#inDoubt.clear()
    this.#perhapsInDoubt.clear()
    this.#lapsed.clear()
    this.#seenMs.clear()
    const nowMs = this.#nowMs
    const now = this.#options.scene.running.parts.time.now()
    for (const { id, kind, deadline, grantedAt } of this.#executions.running()) {
      const known = this.#deadlines.get(id)
      const leftMs = Math.min(deadline - grantedAt, Math.max(0, deadline - now))
      if (known !== undefined) {
        known.byMs = nowMs + leftMs
        known.storedMs = nowMs
      }
      if (kind !== 'check') this.#options.granted(id)
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
    this.#open.set(job.executionId, { job, lease: null, starting: 0 })
  }

  /** Its worker has not reported, and its deadline has passed. */
  overdue(executionId: string): Ended | null {
    const execution = this.#executions.latest(executionId)
    const { byMs } = this.#deadlines.get(executionId) ?? { byMs: Number.POSITIVE_INFINITY }
    if (execution === undefined || execution.end !== null || this.#nowMs < byMs) return null
    const at = this.#options.scene.running.parts.time.now()
    const end = { at, disposition: 'unknown', report: null } as const
    return {
      execution: { ...execution, end },
      job: this.#open.get(executionId)?.job ?? null,
      before: new Set(),
    }
  }

  offered(asked: {
    readonly worker: WorkerKey
    readonly capabilities: readonly Capability[]
    readonly capacity: number
    readonly limit: number
    readonly offers: readonly Offer[]
  }): void {
    const { worker, capabilities, capacity, limit, offers } = asked
    const nowMs = this.#nowMs
    const who = keyOf(worker)
    if (offers.length > 0 && this.#options.revoked.has(worker.principal))
      this.#note('revoked get nothing', `${who} is offered ${offers.length} jobs`)
    // One that was silent for long may be a new one to the service.
    if (nowMs - (this.#seenMs.get(who) ?? nowMs) > silentMs && this.#inDoubt.delete(who))
      this.#perhapsInDoubt.add(who)
    this.#seenMs.set(who, nowMs)
    if (offers.length === 0 && limit > 0) this.#judgeNothing(worker, capabilities, capacity)
    const wasInDoubt = this.#inDoubt.has(who)
    for (const offer of offers) this.#judgeOffer(offer, worker, capabilities)
    const has = this.#loadOf(worker)
    if (offers.length > limit || (offers.length > 0 && has.leased + has.running > capacity))
      this.#note(
        'offers that fit',
        `${who} takes ${limit} and has room for ${capacity}: ${offers.length} more make ${has.leased} leases and ${has.running} jobs`,
      )
    if (offers.length > 0 && wasInDoubt && has.leased > 1)
      this.#note('one offer at a time', `${who} let an offer pass, and has ${has.leased} at a time`)
  }

  /** Returns what is to be told of the answer. */
  starting(principal: string, asked: v2.StartRequest): (answer: Started | Refusal) => void {
    const { executionID: id, leaseID, executionRevision } = asked
    const open = this.#open.get(id)
    const lease = open?.lease ?? null
    const arrivedMs = this.#nowMs
    const arrivedTrueMs = this.#options.scene.clock.trueMs
    const isInTime = lease !== null && arrivedMs < Math.min(lease.untilMs, open?.job.startByMs ?? 0)
    const isTheirs = lease?.id === leaseID && lease.principal === principal
    const isRight = isTheirs && isInTime && String(lease.revision) === executionRevision
    const wasFree = this.#executions.latest(id) === undefined && open?.starting === 0
    const wasUnavailable = this.#mayBeUnavailable(id)
    if (open !== undefined) open.starting++
    if (isRight && wasFree) {
      const { timeoutMs } = open.job
      const wallAheadMs = this.#options.scene.clock.wallMs() - arrivedTrueMs
      this.#deadlines.set(id, {
        process: this.#options.scene.running.number,
        fromMs: arrivedMs + timeoutMs,
        byMs: arrivedMs + timeoutMs,
        storedMs: Number.POSITIVE_INFINITY,
        fromTrueMs: arrivedTrueMs + timeoutMs,
        wallAheadMs,
      })
    }
    return (answer) => {
      if (open !== undefined) open.starting--
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

  handedOver({ executions = [], events }: CommitBatch): void {
    const ended = new Set<string>()
    this.#noticeLapses()
    for (const execution of executions) {
      const before = this.#executions.latest(execution.id)
      this.#judgeRecord(before, execution)
      if (before === undefined && execution.kind !== 'check') this.#options.granted(execution.id)
      this.#executions.handOver(execution)
      if (execution.end === null || (before?.end ?? null) !== null) continue
      this.#end(execution, new Set(ended))
      ended.add(execution.id)
    }
    for (const event of events) this.#judgeActionEnd(event, ended)
  }

  written({ executions = [] }: CommitBatch): void {
    for (const execution of executions) {
      if (this.#executions.onDisk(execution.id) === undefined) this.#grantWritten(execution)
      this.#executions.write(execution)
      // An end that a crash takes back is followed by another one.
      if (execution.end !== null) this.#deadlines.delete(execution.id)
      this.#receipts.written(execution)
    }
  }

  withdrawn({ executions = [] }: CommitBatch): void {
    for (const execution of executions) this.#executions.withdraw(execution)
  }

  /** Whether a worker has ended it, or nobody has taken it: such ends come in the middle of what else is taken. */
  isOfWorker(actionId: string): boolean {
    return this.#open.has(actionId) || this.#executions.has(actionId) || this.#dropped.has(actionId)
  }

  /** The process has just turned. */
  ticked(): void {
    const nowMs = this.#nowMs
    this.sweep()
    for (const { id } of this.#executions.running()) {
      const deadline = this.#deadlines.get(id)
      if (deadline === undefined) continue
      const lateMs = nowMs - Math.max(deadline.byMs, deadline.storedMs)
      if (lateMs > noticedMs) this.#note('deadlines are kept', `${id} runs ${lateMs} ms after its deadline`)
    }
  }

  /** Long after everything has become well again. */
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

  /** One that takes long to be stored may be past its deadline when it is given. */
  #grantWritten(execution: StoredExecution): void {
    const deadline = this.#deadlines.get(execution.id)
    this.#inDoubt.delete(keyOf(execution))
    this.#perhapsInDoubt.delete(keyOf(execution))
    if (deadline !== undefined) deadline.storedMs = this.#nowMs
  }

  /** Checks that nobody has taken and nobody will. */
  sweep(): void {
    this.#noticeLapses()
    for (const [id, { job, starting }] of this.#open) {
      if (job.check === null || starting > 0 || this.#executions.has(id)) continue
      if (this.#nowMs < job.startByMs) continue
      count(this.#options.tally.workers, 'check missed')
      this.#open.delete(id)
      this.#options.checkMissed(job)
    }
  }

  /** Workers that let an offer pass are in doubt. */
  #noticeLapses(): void {
    for (const [id, { lease, job, starting }] of this.#open) {
      if (lease === null || starting > 0 || this.#executions.has(id)) continue
      if (this.#nowMs >= Math.min(lease.untilMs, job.startByMs)) this.#lapse(lease)
    }
  }

  #lapse(lease: Lease): void {
    if (this.#lapsed.has(lease.id)) return
    this.#lapsed.add(lease.id)
    this.#inDoubt.add(keyOf(lease))
  }

  #mayBeInDoubt(worker: WorkerKey): boolean {
    if (this.#inDoubt.has(keyOf(worker)) || this.#perhapsInDoubt.has(keyOf(worker))) return true
    const isOver = ({ untilMs }: Lease, { startByMs }: Job) => this.#nowMs >= Math.min(untilMs, startByMs)
    for (const { lease, job } of this.#open.values())
      if (lease !== null && keyOf(lease) === keyOf(worker) && isOver(lease, job)) return true
    return false
  }

  #judgeOffer({ open, lease, revision }: Offer, worker: WorkerKey, can: readonly Capability[]): void {
    const { job } = open
    const { executionId: id } = job
    const known = this.#open.get(id)
    const nowMs = this.#nowMs
    if (this.#executions.has(id) || this.#grants.has(id))
      this.#note('started is not offered', `${id} was started, and is offered to ${keyOf(worker)}`)
    if (known === undefined) return this.#note('offers that fit', `${id} is offered and never came up`)
    if (!canDo(can, known.job)) this.#note('offers that fit', `${keyOf(worker)} cannot do ${id}`)
    if (lease.untilMs - nowMs > leaseMs)
      this.#note('leases end', `${id} is reserved for ${lease.untilMs - nowMs} ms`)
    const last = known.lease
    if (last !== null && (nowMs < last.untilMs || known.starting > 0))
      this.#note('leases end', `${id} is offered while ${keyOf(last)} has it`)
    if (last !== null && (revision <= last.revision || lease.id === last.id))
      this.#note('leases end', `${id} is offered again under the same lease`)
    if (nowMs >= job.startByMs)
      this.#note('offers that fit', `${id} is offered when nobody wants it any more`)
    if (last !== null) this.#lapse(last)
    const { principal, workerId } = worker
    known.lease = { principal, workerId, id: lease.id, revision, untilMs: lease.untilMs }
    count(this.#options.tally.compared, 'offers')
  }

  /** Nothing is offered only where nothing waits that the worker could do. */
  #judgeNothing(worker: WorkerKey, can: readonly Capability[], capacity: number): void {
    const { leased, running } = this.#loadOf(worker, noticedMs)
    if (this.#mayBeInDoubt(worker) || leased + running >= capacity) return
    const nowMs = this.#nowMs
    const waiting = [...this.#open].filter(([id, { job, lease, starting }]) => {
      const isFree = lease === null || nowMs > lease.untilMs + noticedMs
      return isFree && starting === 0 && !this.#executions.has(id) && canDo(can, job)
    })
    // What is over stands in the way of others until the next turn.
    if (waiting.some(([, { job }]) => nowMs >= job.startByMs)) return
    for (const [id] of waiting)
      this.#note('unstarted is offered again', `${id} waits, and ${keyOf(worker)} gets nothing`)
  }

  #loadOf(worker: WorkerKey, slackMs = 0): { readonly leased: number; readonly running: number } {
    const isTheirs = (one: WorkerKey) => keyOf(one) === keyOf(worker)
    let leased = 0
    for (const [id, { lease, job, starting }] of this.#open) {
      if (lease === null || !isTheirs(lease) || this.#executions.has(id)) continue
      const untilMs = Math.min(lease.untilMs, job.startByMs)
      if (this.#nowMs < untilMs + slackMs || starting > 0) leased++
    }
    let running = 0
    for (const one of this.#executions.running()) {
      const { byMs } = this.#deadlines.get(one.id) ?? { byMs: 0 }
      if (isTheirs(one) && (this.#nowMs < byMs || slackMs > 0)) running++
    }
    return { leased, running }
  }

  #judgeStart(id: string, principal: string, answer: Started, mayGrant: boolean): void {
    const { disposition, grantId, receiptId } = answer
    const stored = this.#executions.onDisk(id)
    const latest = this.#executions.latest(id)
    switch (disposition) {
      case 'granted': {
        if (this.#grants.has(id)) this.#note('granted once', `${id} is granted again, to ${principal}`)
        this.#grants.add(id)
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
      if (timeoutMs !== null && Math.abs(execution.deadline - execution.grantedAt - timeoutMs) > 1)
        this.#note('deadlines are kept', `${id} gets another deadline than its timeout says`)
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

  #end(execution: StoredExecution, before: ReadonlySet<string>): void {
    const { id, kind, end } = execution
    const open = this.#open.get(id)
    const report = end?.report ?? null
    count(this.#options.tally.compared, 'executions')
    if (report === null) this.#judgeDeadline(id)
    else if (!this.#receipts.wasSaid(id, report.status, report.diagnostic))
      this.#note('a verdict is final', `${id} ends as ${report.status}, which nobody has said`)
    this.#open.delete(id)
    if (kind === 'check') this.#options.checkEnded({ execution, job: open?.job ?? null, before })
    else this.#options.actionEnded(id, outcomeOf(report?.status ?? 'unknown'))
  }

  /** It ends without a report: not before its deadline. */
  #judgeDeadline(id: string): void {
    const { scene } = this.#options
    const deadline = this.#deadlines.get(id)
    if (deadline === undefined) return
    const { clock } = scene
    const isSameProcess = deadline.process === scene.running.number
    const isSameWall = clock.wallMs() - clock.trueMs === deadline.wallAheadMs
    const earlyMs = isSameProcess
      ? deadline.fromMs - this.#nowMs
      : isSameWall
        ? deadline.fromTrueMs - clock.trueMs - timeOffMs
        : 0
    if (earlyMs > 1) this.#note('deadlines are kept', `${id} is given up ${earlyMs} ms before its deadline`)
  }

  /** What workers have ends by their report or at its deadline, what nobody took was not done. */
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

function keyOf({ principal, workerId }: WorkerKey): string {
  return `${principal} ${workerId}`
}

function canDo(can: readonly Capability[], job: Job): boolean {
  return can.some(
    ({ kind, jobType, version }) => kind === job.kind && jobType === job.jobType && version === job.version,
  )
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
