// external-workers/lease-table.ts: every job that waits for a worker or is done by one, and who may do what with it. Plain
// rules without I/O, clock or ids of its own: they say what to commit, and are told when that is on disk.
//
//   waiting ──offer──▶ leased ──start──▶ starting ──committed──▶ started ──▶ ended
//      ▲                 │ 5 s unstarted    │ could not be stored    │ result, or the deadline
//      └─────────────────┴──────────────────┘                        ▼
//      waiting or leased when it must have been started: lapsed      its record has the rest
//
// - An offer is not a permission. The grant is, is given once, and is on disk before anybody hears of it.
// - What was started is never offered again. What was not, is: under another lease and the next revision.
import { DueHeap } from '../platform/due-heap.ts'
import { type Capability, capabilityKey, type Job, type WorkerName } from './job.ts'
import { JobCounts } from './job-counts.ts'
import { JobQueue } from './job-queue.ts'
import { Roster, type Worker } from './roster.ts'

/** How long an offer is reserved for the worker that got it. */
export const leaseMs = 5_000
/** A worker in doubt gets what nobody else took for so long. */
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
  /** Of the offer; null for one that an earlier version granted. */
  readonly revision: number | null
}

/** A job that has not ended. */
export interface OpenJob {
  job: Job
  readonly sequence: number
  /** Dropped: nobody is offered it any more, and the next turn ends it. */
  state: 'waiting' | 'dropped' | 'leased' | 'starting' | 'started' | 'ended'
  /** False: it is not offered again. */
  isWanted: boolean
  readonly isWaiting: boolean
  readonly waitingSinceMs: number
  /** Rises with every lease. */
  revision: number
  /** The principal that was offered it last. */
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
  /** To be committed; then `granted` or `notGranted` is to be called. */
  | { readonly kind: 'grants'; readonly open: OpenJob; readonly grant: Grant }
  | { readonly kind: 'started' | 'pending'; readonly open: OpenJob }
  | { readonly kind: 'rejected'; readonly open: OpenJob }
  /** Whether it has ended, or never was, only its record says. */
  | { readonly kind: 'not open' }

/** What time has ended. */
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

  /** How many were granted and have not ended. */
  get runningCount(): number {
    return this.#running
  }

  find(executionId: string): OpenJob | undefined {
    return this.#open.get(executionId)
  }

  /** How many jobs of this capability wait. */
  waiting(key: string): number {
    return this.#waiting.get(key)?.size ?? 0
  }

  /** Capabilities that jobs wait for. */
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

  /** One that an earlier process granted. */
  restore(job: Job, grant: Grant): void {
    const open = new TableEntry(job, this.#sequence++, grant.deadlineMs)
    open.state = 'started'
    open.grant = grant
    this.#running++
    this.roster.restored(grant.worker)
    this.#open.set(job.executionId, open)
    this.#watch(open, 'deadline', grant.deadlineMs)
  }

  /** Those that were granted and have not ended. */
  *started(): Generator<OpenJob> {
    for (const open of this.#open.values()) if (open.state === 'started') yield open
  }

  /**
   * Reserves jobs for a worker: at most `limit`, no more than it has room for, and by turns from everything it can do, so
   * that no job type starves another.
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
    // Others need not know that there is such a job.
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

  /** The grant is on disk. */
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

  /** The grant could not be stored: nobody has it. The lease goes on as it was. */
  notGranted(open: OpenJob): void {
    if (open.state !== 'starting' || open.lease === null) return
    open.state = 'leased'
    open.grant = null
    // Either may have passed meanwhile, when it did not count.
    this.#watch(open, 'lease', open.lease.untilMs)
    this.#watch(open, 'start', open.job.startByMs)
  }

  /** Of a job that runs, or null: not its grant, or not of this principal. */
  running(principal: string, executionId: string, grantId: string): OpenJob | null {
    const open = this.#open.get(executionId)
    if (open?.state !== 'started' || open.grant === null) return null
    const isTheirs = open.grant.worker.principal === principal && open.grant.id === grantId
    return isTheirs ? open : null
  }

  /** The result of this check is not wanted any more. True when it is gone, false while a worker has it or its offer. */
  cancel(row: number): boolean {
    const open = this.#checks.get(row)
    if (open === undefined) return false
    open.isWanted = false
    if (open.state !== 'waiting' && open.state !== 'dropped') return false
    this.end(open)
    return true
  }

  /** It has a result, or is not wanted any more. */
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

  /** When time may end something; null while nothing is watched. */
  get nextLapseMs(): number | null {
    return this.#watches.first?.dueAt ?? null
  }

  /** Ends what time has ended, and says what; leases that passed go back to those that wait. */
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
    // What is being stored as granted is not taken back by time.
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

  /** Queues that have something for the worker, beginning with another one each time. */
  #queuesFor(capabilities: readonly Capability[], worker: Worker): JobQueue<OpenJob>[] {
    const from = worker.turn++ % Math.max(1, capabilities.length)
    const inTurn = [...capabilities.slice(from), ...capabilities.slice(0, from)]
    return inTurn.flatMap((capability) => this.#waiting.get(capabilityKey(capability)) ?? [])
  }

  #offerFrom(queue: JobQueue<OpenJob> | undefined, worker: Worker, nowMs: number): Offer | null {
    if (queue === undefined) return null
    this.#dropOver(queue, nowMs)
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

  /** What must have been started already does not stand in the way of others. */
  #dropOver(queue: JobQueue<OpenJob>, nowMs: number): void {
    const isOver = ({ job }: OpenJob) => nowMs >= job.startByMs
    for (let first = queue.first; first !== undefined && isOver(first); first = queue.first) {
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
