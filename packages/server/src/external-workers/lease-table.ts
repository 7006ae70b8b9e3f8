// external-workers/lease-table.ts: every job that waits for a worker or runs on one, and which worker may do
// what with it. Pure rules: no I/O, and time and ids are passed in. They return what to commit and are called
// again once it is on disk.
//
//   waiting ──offer──▶ leased ──start──▶ starting ──committed──▶ started ──▶ ended
//      ▲                 │ 5 s unstarted    │ could not be stored    │ result, or the deadline
//      └─────────────────┴──────────────────┘                        ▼
//      waiting or leased when it must have been started: lapsed      its record has the rest
//
// - An offer is not a permission; the grant is. It is given once, and is on disk before the worker hears of
// it.
// - A started job is never offered again. An unstarted one is, under a new lease and the next revision.
import { DueHeap } from '../platform/due-heap.ts'
import { type Capability, capabilityKey, type Job, type WorkerName } from './job.ts'
import { JobCounts } from './job-counts.ts'
import { JobQueue } from './job-queue.ts'
import { Roster, type Worker } from './roster.ts'

/** How long an offer is reserved for the worker that got it. */
export const leaseMs = 5_000
/** A doubtful worker is offered only jobs that have waited for this long. */
const leftOverAfterMs = 1_000

export interface Lease {
  readonly id: string
  readonly worker: Worker
  readonly untilMs: number
}

export interface Grant {
  readonly id: string
  readonly worker: WorkerName
  readonly deadlineMs: number
  /** The revision of the offer; null if an earlier version of the service gave the grant. */
  readonly revision: number | null
}

/** A job that has not ended. */
export interface OpenJob {
  job: Job
  readonly sequence: number
  /** `dropped`: it is offered to no worker any more, and the next turn ends it. */
  state: 'waiting' | 'dropped' | 'leased' | 'starting' | 'started' | 'ended'
  /** If false, the job is not offered again. */
  isWanted: boolean
  readonly isWaiting: boolean
  readonly waitingSinceMs: number
  /** Rises with every lease. */
  revision: number
  /** The principal to which it was last offered. */
  offeredTo: string | null
  lease: Lease | null
  grant: Grant | null
}

export interface Offer {
  readonly open: OpenJob
  readonly lease: Lease
  readonly revision: number
}

export interface StartWords {
  readonly executionId: string
  readonly leaseId: string
  readonly revision: number
}

export type StartDecision =
  /** The caller commits the grant, then calls `granted` or `notGranted`. */
  | { readonly kind: 'grants'; readonly open: OpenJob; readonly grant: Grant }
  | { readonly kind: 'started' | 'pending'; readonly open: OpenJob }
  | { readonly kind: 'rejected'; readonly open: OpenJob }
  /** The job has ended or never existed; only its stored record tells which. */
  | { readonly kind: 'not open' }

/** A job that ended because of a timeout. */
export interface Lapse {
  readonly open: OpenJob
  readonly why: 'not started' | 'no result'
}

interface Watch {
  readonly dueAt: number
  readonly sequence: number
  readonly open: OpenJob
  readonly for: 'lease' | 'start' | 'deadline'
}

export class LeaseTable {
  readonly roster = new Roster()
  readonly counts = new JobCounts()
  readonly #newId: () => string
  readonly #open = new Map<string, OpenJob>()
  /** Checks of this process, by row. */
  readonly #checks = new Map<number, OpenJob>()
  readonly #waiting = new Map<string, JobQueue<OpenJob>>()
  readonly #watches = new DueHeap<Watch>()
  #sequence = 0
  #running = 0

  constructor(newId: () => string) {
    this.#newId = newId
  }

  get size(): number {
    return this.#open.size
  }

  /** How many jobs were granted and have not ended. */
  get runningCount(): number {
    return this.#running
  }

  find(executionId: string): OpenJob | undefined {
    return this.#open.get(executionId)
  }

  /** How many jobs wait for this capability. */
  waiting(key: string): number {
    return this.#waiting.get(key)?.size ?? 0
  }

  /** The capabilities for which jobs are waiting. */
  *keysWaiting(): Generator<string> {
    for (const [key, { size }] of this.#waiting) if (size > 0) yield key
  }

  add(job: Job, nowMs: number): OpenJob {
    const open = new TableEntry(job, this.#sequence++, nowMs)
    this.#open.set(job.executionId, open)
    if (job.check !== null) this.#checks.set(job.check.row, open)
    this.#queueOf(job).add(open)
    this.#watch(open, 'start', job.startByMs)
    return open
  }

  /** Adds a job that a previous process granted. */
  restore(job: Job, grant: Grant): void {
    const open = new TableEntry(job, this.#sequence++, grant.deadlineMs)
    open.state = 'started'
    open.grant = grant
    this.#running++
    this.roster.restored(grant.worker)
    this.#open.set(job.executionId, open)
    this.#watch(open, 'deadline', grant.deadlineMs)
  }

  /** The jobs that were granted and have not ended. */
  *started(): Generator<OpenJob> {
    for (const open of this.#open.values()) if (open.state === 'started') yield open
  }

  /**
   * Reserves jobs for a worker: at most `limit`, and no more than it has room for. Takes them in turns from
   * all of its capabilities, so that no job type starves another.
   */
  offer(worker: Worker, capabilities: readonly Capability[], limit: number, nowMs: number): Offer[] {
    const room = worker.isInDoubt ? 1 - worker.leased : worker.capacity - worker.leased - worker.active
    const most = Math.min(limit, room)
    const queues = this.#queuesFor(capabilities, worker)
    const offers: Offer[] = []
    while (offers.length < most && queues.length > 0) {
      for (let place = 0; place < queues.length && offers.length < most; ) {
        const offer = this.#offerFrom(queues[place], worker, nowMs)
        if (offer === null) queues.splice(place, 1)
        else {
          offers.push(offer)
          place++
        }
      }
    }
    return offers
  }

  start(principal: string, { executionId, leaseId, revision }: StartWords, nowMs: number): StartDecision {
    const open = this.#open.get(executionId)
    if (open === undefined) return { kind: 'not open' }
    if (open.grant !== null) {
      if (open.grant.worker.principal !== principal) return { kind: 'not open' }
      return { kind: open.state === 'starting' ? 'pending' : 'started', open }
    }
    // Other principals must not learn that this job exists.
    if (open.offeredTo !== principal) return { kind: 'not open' }
    const { lease } = open
    if (lease === null || lease.id !== leaseId) return { kind: 'rejected', open }
    if (open.revision !== revision || nowMs >= lease.untilMs || nowMs >= open.job.startByMs)
      return { kind: 'rejected', open }
    const { worker } = lease
    const grant = { id: this.#newId(), worker, deadlineMs: nowMs + open.job.timeoutMs, revision }
    open.state = 'starting'
    open.grant = grant
    worker.lastSeenMs = nowMs
    return { kind: 'grants', open, grant }
  }

  /** Called when the grant is on disk. */
  granted(open: OpenJob): void {
    if (open.state !== 'starting' || open.grant === null) return
    open.state = 'started'
    this.#running++
    this.counts.noteGranted()
    this.#endLease(open)
    const worker = this.roster.find(open.grant.worker)
    if (worker !== undefined) {
      worker.isInDoubt = false
      worker.active++
    }
    this.#watch(open, 'deadline', open.grant.deadlineMs)
  }

  /** Called when the grant could not be stored: the worker did not get it, and the lease goes on. */
  notGranted(open: OpenJob): void {
    if (open.state !== 'starting' || open.lease === null) return
    open.state = 'leased'
    open.grant = null
    // Both times were ignored while the grant was being stored, and may have passed.
    this.#watch(open, 'lease', open.lease.untilMs)
    this.#watch(open, 'start', open.job.startByMs)
  }

  /** The running job with this grant; null if the grant or the principal does not match. */
  running(principal: string, executionId: string, grantId: string): OpenJob | null {
    const open = this.#open.get(executionId)
    if (open?.state !== 'started' || open.grant === null) return null
    const isTheirs = open.grant.worker.principal === principal && open.grant.id === grantId
    return isTheirs ? open : null
  }

  /**
   * The result of this check is no longer wanted. True if the job is gone, false while a worker has it or was offered it.
   */
  cancel(row: number): boolean {
    const open = this.#checks.get(row)
    if (open === undefined) return false
    open.isWanted = false
    if (open.state !== 'waiting' && open.state !== 'dropped') return false
    this.end(open)
    return true
  }

  /** Ends a job that has a result or is no longer wanted. */
  end(open: OpenJob): void {
    if (open.state === 'ended') return
    if (open.state === 'waiting') this.#queueOf(open.job).ended()
    if (open.state === 'started' && open.grant !== null) {
      this.#running--
      this.roster.ended(open.grant.worker)
    }
    this.#endLease(open)
    open.state = 'ended'
    const { executionId, check } = open.job
    this.#open.delete(executionId)
    if (check !== null && this.#checks.get(check.row) === open) this.#checks.delete(check.row)
  }

  /** When the next timeout is due; null if none is pending. */
  get nextLapseMs(): number | null {
    return this.#watches.first?.dueAt ?? null
  }

  /** Ends jobs whose time is up and returns them. Jobs with an expired lease go back to their queue. */
  advance(nowMs: number): Lapse[] {
    const lapses: Lapse[] = []
    for (;;) {
      const due = this.#watches.first
      if (due === undefined || due.dueAt > nowMs) return lapses
      this.#watches.take()
      const lapse = this.#passed(due)
      if (lapse !== null) lapses.push(lapse)
    }
  }

  #passed({ open, for: watched, dueAt }: Watch): Lapse | null {
    const { state, lease } = open
    if (watched === 'deadline' && state === 'started') {
      this.end(open)
      this.counts.noteWithoutReport()
      return { open, why: 'no result' }
    }
    // A grant that is being stored cannot time out.
    if (state === 'starting' || state === 'started' || state === 'ended') return null
    const isLeaseOver = watched === 'lease' && lease?.untilMs === dueAt
    if (watched === 'start' || (isLeaseOver && !open.isWanted)) {
      if (lease !== null) this.#offerPassed(lease)
      this.end(open)
      this.counts.noteNotStarted()
      return { open, why: 'not started' }
    }
    if (isLeaseOver) {
      this.#offerPassed(lease)
      this.#endLease(open)
      open.state = 'waiting'
      this.#queueOf(open.job).putBack(open)
    }
    return null
  }

  #offerPassed({ worker }: Lease): void {
    worker.isInDoubt = true
    this.counts.noteOfferNotStarted()
  }

  /** The queues for the worker's capabilities, starting with a different one each time. */
  #queuesFor(capabilities: readonly Capability[], worker: Worker): JobQueue<OpenJob>[] {
    const from = worker.turn++ % Math.max(1, capabilities.length)
    const inTurn = [...capabilities.slice(from), ...capabilities.slice(0, from)]
    return inTurn.flatMap((capability) => this.#waiting.get(capabilityKey(capability)) ?? [])
  }

  #offerFrom(queue: JobQueue<OpenJob> | undefined, worker: Worker, nowMs: number): Offer | null {
    if (queue === undefined) return null
    this.#dropOverdue(queue, nowMs)
    const { first } = queue
    if (first === undefined) return null
    if (worker.isInDoubt && nowMs - first.waitingSinceMs < leftOverAfterMs) return null
    const open = queue.take()
    if (open === undefined) return null
    const lease = { id: this.#newId(), worker, untilMs: nowMs + leaseMs }
    open.state = 'leased'
    open.revision++
    open.offeredTo = worker.principal
    open.lease = lease
    worker.leased++
    this.#watch(open, 'lease', lease.untilMs)
    return { open, lease, revision: open.revision }
  }

  /** Jobs that can no longer be started in time must not block the ones behind them. */
  #dropOverdue(queue: JobQueue<OpenJob>, nowMs: number): void {
    const isOverdue = ({ job }: OpenJob) => nowMs >= job.startByMs
    for (let first = queue.first; first !== undefined && isOverdue(first); first = queue.first) {
      queue.take()
      first.state = 'dropped'
      this.#watch(first, 'start', nowMs)
    }
  }

  #endLease(open: OpenJob): void {
    if (open.lease === null) return
    open.lease.worker.leased--
    open.lease = null
  }

  #watch(open: OpenJob, what: Watch['for'], dueAt: number): void {
    this.#watches.add({ open, for: what, dueAt, sequence: this.#sequence++ })
  }

  #queueOf(job: Job): JobQueue<OpenJob> {
    const key = capabilityKey(job)
    let queue = this.#waiting.get(key)
    if (queue === undefined) {
      queue = new JobQueue()
      this.#waiting.set(key, queue)
    }
    return queue
  }
}

class TableEntry implements OpenJob {
  job: Job
  readonly sequence: number
  readonly waitingSinceMs: number
  state: OpenJob['state'] = 'waiting'
  isWanted = true
  revision = 0
  offeredTo: string | null = null
  lease: Lease | null = null
  grant: Grant | null = null

  constructor(job: Job, sequence: number, waitingSinceMs: number) {
    this.job = job
    this.sequence = sequence
    this.waitingSinceMs = waitingSinceMs
  }

  get isWaiting(): boolean {
    return this.state === 'waiting'
  }
}
