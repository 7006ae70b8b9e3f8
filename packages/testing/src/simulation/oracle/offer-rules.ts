// simulation/oracle/offer-rules.ts: what workers are offered: each job to one worker at a time, only jobs
// that it can do and has room for, under a new lease each time, and every waiting job as soon as a worker
// could do it. Workers that let offers expire get one at a time.
import type { Capability, Job } from '@pulseward/server/internal/external-workers/job.ts'
import type { Offer } from '@pulseward/server/internal/external-workers/lease-table.ts'
import type { PlannedMonitor } from '../fleet-plan.ts'
import { count, type Tally } from '../tally.ts'
import { type DeadlineRules, noticedMs } from './deadline-rules.ts'
import type { Findings } from './findings.ts'
import type { Scene } from './scene.ts'
import type { Executions } from './worker-executions.ts'

const leaseMs = 5_000
const silentMs = 9 * 60_000

export interface WorkerKey {
  readonly principal: string
  readonly workerId: string
}

interface Lease extends WorkerKey {
  readonly id: string
  readonly revision: number
  readonly untilMs: number
}

/** A job that this process must have done. */
export interface OpenJob {
  readonly job: Job
  /** For a check: its monitor when the check became due. */
  readonly monitor: PlannedMonitor | undefined
  /** Its monitor was changed, removed or snoozed since: it need not be offered any more. */
  isUnwanted: boolean
  lease: Lease | null
  /** Starts that may be granted and wait for their answer. */
  starting: number
}

/** What a worker asked for, and what it was offered. */
export interface Asked {
  readonly worker: WorkerKey
  readonly capabilities: readonly Capability[]
  readonly capacity: number
  readonly limit: number
  readonly offers: readonly Offer[]
}

export interface OfferRulesOptions {
  readonly scene: Scene
  readonly findings: Findings
  readonly tally: Tally
  readonly revoked: ReadonlySet<string>
  /** Jobs that wait for a worker or are offered to one, by execution. */
  readonly open: ReadonlyMap<string, OpenJob>
  readonly executions: Executions
  readonly deadlines: DeadlineRules
}

export class OfferRules {
  readonly #options: OfferRulesOptions
  /** Workers that let an offer expire since they last started a job. */
  readonly #inDoubt = new Set<string>()
  readonly #perhapsInDoubt = new Set<string>()
  /** Until when the service may not have heard that the grant is on disk that ends the doubt. */
  readonly #inDoubtUntilMs = new Map<string, number>()
  /** Expired leases that were already handled. */
  readonly #lapsed = new Set<string>()
  readonly #granted = new Set<string>()
  readonly #seenMs = new Map<string, number>()

  constructor(options: OfferRulesOptions) {
    this.#options = options
  }

  processStarted(): void {
    this.#inDoubt.clear()
    this.#perhapsInDoubt.clear()
    this.#inDoubtUntilMs.clear()
    this.#lapsed.clear()
    this.#seenMs.clear()
  }

  offered(asked: Asked): void {
    const { worker, capabilities, capacity, limit, offers } = asked
    const nowMs = this.#nowMs
    const who = keyOf(worker)
    if (offers.length > 0 && this.#options.revoked.has(worker.principal))
      this.#note('revoked get nothing', `${who} is offered ${offers.length} jobs`)
    // The service may have forgotten a worker that was silent for long.
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

  /** The grant of a worker is on disk. */
  granted(worker: WorkerKey): void {
    const who = keyOf(worker)
    this.#inDoubt.delete(who)
    this.#perhapsInDoubt.delete(who)
    this.#inDoubtUntilMs.set(who, this.#nowMs + noticedMs)
  }

  /** A worker was told that it may start. */
  begun(executionId: string): void {
    this.#granted.add(executionId)
  }

  wasBegun(executionId: string): boolean {
    return this.#granted.has(executionId)
  }

  /** Workers that let an offer expire are in doubt. */
  noticeLapses(): void {
    for (const [id, { lease, job, starting }] of this.#options.open) {
      if (lease === null || starting > 0 || this.#options.executions.has(id)) continue
      if (this.#nowMs >= Math.min(lease.untilMs, job.startByMs)) this.#lapse(lease)
    }
  }

  #lapse(lease: Lease): void {
    if (this.#lapsed.has(lease.id)) return
    this.#lapsed.add(lease.id)
    this.#inDoubt.add(keyOf(lease))
  }

  #mayBeInDoubt(worker: WorkerKey): boolean {
    const who = keyOf(worker)
    if (this.#inDoubt.has(who) || this.#perhapsInDoubt.has(who)) return true
    if (this.#nowMs <= (this.#inDoubtUntilMs.get(who) ?? Number.NEGATIVE_INFINITY)) return true
    const isOver = ({ untilMs }: Lease, { startByMs }: Job) => this.#nowMs >= Math.min(untilMs, startByMs)
    for (const { lease, job } of this.#options.open.values())
      if (lease !== null && keyOf(lease) === who && isOver(lease, job)) return true
    return false
  }

  #judgeOffer({ open, lease, revision }: Offer, worker: WorkerKey, can: readonly Capability[]): void {
    const { job } = open
    const { executionId: id } = job
    const known = this.#options.open.get(id)
    const nowMs = this.#nowMs
    if (this.#options.executions.has(id) || this.wasBegun(id))
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
    if (known.isUnwanted && !this.#isChecked(job.monitorId ?? ''))
      this.#note('cancelled is not offered', `${id} is offered, and its monitor is not checked any more`)
    if (last !== null) this.#lapse(last)
    const { principal, workerId } = worker
    known.lease = { principal, workerId, id: lease.id, revision, untilMs: lease.untilMs }
    count(this.#options.tally.compared, 'offers')
  }

  #isChecked(monitorId: string): boolean {
    const { scene } = this.#options
    return scene.monitor(monitorId)?.enabled === true && !scene.isSnoozed(monitorId)
  }

  /** Offering nothing is right only if no job waits that the worker could do. */
  #judgeNothing(worker: WorkerKey, can: readonly Capability[], capacity: number): void {
    const { leased, running } = this.#loadOf(worker, noticedMs)
    if (this.#mayBeInDoubt(worker) || leased + running >= capacity) return
    const nowMs = this.#nowMs
    const waiting = [...this.#options.open].filter(([id, { job, lease, starting, isUnwanted }]) => {
      const isFree = lease === null || nowMs > lease.untilMs + noticedMs
      const isWanted = nowMs < job.startByMs && !isUnwanted
      return isFree && isWanted && starting === 0 && !this.#options.executions.has(id) && canDo(can, job)
    })
    for (const [id] of waiting)
      this.#note('unstarted is offered again', `${id} waits, and ${keyOf(worker)} gets nothing`)
  }

  #loadOf(worker: WorkerKey, slackMs = 0): { readonly leased: number; readonly running: number } {
    const isTheirs = (one: WorkerKey) => keyOf(one) === keyOf(worker)
    let leased = 0
    for (const [id, { lease, job, starting }] of this.#options.open) {
      if (lease === null || !isTheirs(lease) || this.#options.executions.has(id)) continue
      const untilMs = Math.min(lease.untilMs, job.startByMs)
      if (this.#nowMs < untilMs + slackMs || starting > 0) leased++
    }
    let running = 0
    for (const one of this.#options.executions.running()) {
      if (isTheirs(one) && (slackMs > 0 || !this.#options.deadlines.isOver(one.id))) running++
    }
    return { leased, running }
  }

  get #nowMs(): number {
    return this.#options.scene.clock.monotonicMs()
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
