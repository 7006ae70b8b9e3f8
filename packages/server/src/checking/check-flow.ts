// checking/check-flow.ts: the path of a check: schedule → queue → pool → probe thread → result. It knows which checks
// are in flight and counts every stage; what a result means is decided by the intake. The engine calls it in its turns.

import { externalType } from '../config/external-driver.ts'
import type { Decision } from '../deciding/decision.ts'
import { isActive } from '../deciding/health/health.ts'
import type { Turn } from '../deciding/turn.ts'
import type { Arrangement } from '../fleet/arrangement.ts'
import { changedParts } from '../fleet/arrangement.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Clock } from '../platform/clock.ts'
import { addTo } from '../platform/column.ts'
import type { SloWindow } from '../slo/slo-window.ts'
import type { CheckCounts } from '../telemetry/check-counts.ts'
import type { SystemMeter, SystemMeters } from '../telemetry/system-meter.ts'
import { ChecksInFlight } from './checks-in-flight.ts'
import type { PoolBounds } from './pool/sizing.ts'
import { WorkerPool } from './pool/worker-pool.ts'
import type { ProbeAmendment, ProbeFleet, ResultBatch, ResultNote } from './probe/probe-protocol.ts'
import { outcomeStatuses, outcomeStatusMask } from './probe/probe-protocol.ts'
import { BoundedQueue, PULSE_QUEUE_CAPACITY } from './queue/bounded-queue.ts'
import type { ResultIntake } from './result-intake.ts'
import { FirstChecks } from './schedule/first-checks.ts'
import { type Disturbance, type MissedReason, Scheduler } from './schedule/scheduler.ts'

const none: readonly never[] = []

/** The most checks that are handed to probe threads in one tick. */
export const BATCH_SIZE = 1_000

/** Runs checks: the probe threads, or a test. */
export interface CheckRunner {
  setFleet(fleet: ProbeFleet, credentials: ReadonlyMap<string, string>, rows: number): void
  amendFleet(fleet: ProbeFleet, amendment: ProbeAmendment): void
  add(row: number, generation: number): void
  flush(): void
  /** The share of time since the last call in which its threads were busy; absent where there are none. */
  takeLoad?(): number
}

/** A check that is due and is done outside the service. */
export interface ExternalCheck {
  readonly row: number
  readonly generation: number
  /** When its monitor is due again; by the monotonic clock. */
  readonly nextDueMs: number
}

/** Offers checks to workers outside the service. Each ends with a result, or is not taken. */
export interface ExternalChecks {
  offer(check: ExternalCheck): void
  /** Those that were offered may be taken from now on. */
  flush(): void
}

export interface CheckFlowOptions {
  readonly fleet: Fleet
  readonly clock: Clock
  readonly intake: ResultIntake
  readonly slo: SloWindow
  readonly meters: SystemMeters
  readonly counts: CheckCounts
  readonly poolBounds: PoolBounds
  readonly queueTargetMs: number
  readonly runner: CheckRunner
  /** Null where nothing is done outside the service. */
  readonly external: ExternalChecks | null
  readonly isSnoozed: (row: number) => boolean
}

export class CheckFlow {
  readonly scheduler: Scheduler
  readonly queue: BoundedQueue
  readonly pool: WorkerPool
  readonly #options: CheckFlowOptions
  readonly #firstChecks = new FirstChecks()
  readonly #scheduling: SystemMeter
  readonly #dispatching: SystemMeter
  readonly #results: SystemMeter
  /** The type of checks that are done outside; -1 where there are none. */
  readonly #externalType: number
  readonly #inFlight = new ChecksInFlight()
  #nowMs: number
  #isOpen = true
  #disturbances: Disturbance[] = []

  constructor(options: CheckFlowOptions) {
    this.#options = options
    const { clock, poolBounds, queueTargetMs, meters } = options
    this.#nowMs = clock.monotonicMs()
    this.scheduler = new Scheduler(1024, this.#nowMs, clock.wallMs(), {
      due: (row, scheduledMs) => this.#due(row, scheduledMs),
      missed: (row, firstMs, count, reason) => this.#missed(row, firstMs, count, reason),
      disturbed: (disturbance) => this.#disturbances.push(disturbance),
      identityHash: options.fleet.identityHashOf,
    })
    this.queue = new BoundedQueue(PULSE_QUEUE_CAPACITY, this.#nowMs)
    this.pool = new WorkerPool({ bounds: poolBounds, waitTargetMs: queueTargetMs }, this.#nowMs)
    this.#scheduling = meters.add('schedule')
    this.#dispatching = meters.add('dispatch')
    this.#results = meters.add('results')
    this.#externalType = options.external === null ? -1 : options.fleet.types.indexOf(externalType)
  }

  /** Applies what changed in the fleet, which has the new arrangement already. */
  applyArrangement(arrangement: Arrangement, credentials: ReadonlyMap<string, string>): void {
    const { fleet, runner } = this.#options
    this.#grow(fleet.columns.capacity)
    runner.setFleet(fleet.definition, credentials, fleet.columns.capacity)
    this.#enrollAll(arrangement)
  }

  /** Applies a change of single monitors. Credentials: null when their values stay as they are. */
  applyAmendment(arrangement: Arrangement, credentials: ReadonlyMap<string, string> | null): void {
    const { fleet, runner } = this.#options
    const rows = Uint32Array.from([...arrangement.added, ...arrangement.changed])
    this.#grow(fleet.columns.capacity)
    runner.amendFleet(fleet.definition, { rows, credentials, capacity: fleet.columns.capacity })
    this.#enrollAll(arrangement)
  }

  #enrollAll({ added, removed, changed, changedBits }: Arrangement): void {
    const { fleet, clock } = this.#options
    for (const row of removed) this.scheduler.withdraw(row)
    const { lastCheck } = fleet.columns
    let neverChecked = 0
    for (const row of added) if (Number.isNaN(lastCheck[row])) neverChecked++
    const checkSoon = this.#firstChecks.grant(neverChecked, clock.monotonicMs())
    for (const row of added) this.#enroll(row, checkSoon)
    const affectsSchedule = changedParts.policy | changedParts.check
    for (const [index, row] of changed.entries()) {
      if (changedBits[index]! & affectsSchedule) this.#enroll(row, true)
    }
    // Enrolling a large fleet takes a while, and is not a stall.
    this.scheduler.resume(clock.monotonicMs())
    this.pool.adapt(this.checksPerSecond, null, clock.monotonicMs())
  }

  /** A snoozed monitor is not checked. When its snooze ends it goes on at its own time slots, so that many never burst. */
  follow({ steps }: Decision): void {
    const { fleet } = this.#options
    for (const { row, before, step } of steps) {
      const { snooze } = step.state
      if ((before.snooze === null) === (snooze === null)) continue
      if (isActive(step.state)) this.#enroll(row, true)
      else if (snooze !== null) {
        fleet.dropResults(row)
        this.scheduler.withdraw(row)
      }
    }
  }

  /**
   * Advances the schedule and queues what is due. Returns the stalls and clock jumps that it noticed. Every turn of the
   * engine begins with this; otherwise a result that was caught in a stall would count against its target.
   */
  advance(): readonly Disturbance[] {
    const { clock } = this.#options
    this.#nowMs = clock.monotonicMs()
    this.#scheduling.begin(this.#nowMs)
    const before = this.scheduler.startedSlots
    this.scheduler.advance(this.#nowMs, clock.wallMs())
    this.#scheduling.end(clock.monotonicMs(), this.scheduler.startedSlots - before)
    if (this.#disturbances.length === 0) return none
    const disturbances = this.#disturbances
    this.#disturbances = []
    return disturbances
  }

  /**
   * Whether checks may start. While admission is closed, time slots pass unused; queued checks are given up, because
   * they would be stale when it opens again.
   */
  setAdmission(open: boolean): void {
    this.scheduler.setAdmission(open)
    this.#isOpen = open
    if (!open) this.queue.dequeue(this.queue.depth, this.#options.clock.monotonicMs(), this.#giveUp)
  }

  /** The pool follows the arrival rate and the service times. */
  adaptPool(): void {
    const nowMs = this.#options.clock.monotonicMs()
    const { arrivalCv } = this.queue.arrivals(nowMs)
    this.pool.adapt(this.checksPerSecond, arrivalCv, nowMs, this.#options.runner.takeLoad?.() ?? 0)
  }

  /** Those at time slots, and first checks besides. */
  get checksPerSecond(): number {
    return this.scheduler.checksPerSecond + this.#firstChecks.perSecond(this.#options.clock.monotonicMs())
  }

  /** How late the check is that starts next. */
  get delayMs(): number {
    const scheduledMs = this.queue.oldestScheduledMs
    return scheduledMs === null ? 0 : this.#options.clock.monotonicMs() - scheduledMs
  }

  takeResults(turn: Turn, batch: ResultBatch): void {
    const { clock, intake } = this.#options
    const isFull = this.pool.free === 0
    this.#results.begin(this.#nowMs)
    intake.count(batch, turn)
    let nextNote = 0
    for (let position = 0; position < batch.rows.length; position++) {
      let note: ResultNote | null = null
      if (nextNote < batch.notes.length && batch.notes[nextNote]!.position === position)
        note = batch.notes[nextNote++]!
      const isOwnFault = intake.take(turn, batch, position, note)
      this.#ended(batch, position, isOwnFault)
    }
    this.#results.end(clock.monotonicMs(), batch.rows.length)
    // Workers have become free that checks waited for. Otherwise those that are due go out together, with the next tick.
    if (isFull && this.queue.depth > 0) this.dispatch()
  }

  /** Results for checks whose thread has ended: nothing can be said about their targets. */
  lostBatch(rows: Uint32Array, reason: string): ResultBatch {
    const count = rows.length
    const nowMs = this.#options.clock.monotonicMs()
    const { generation, startedMs } = this.#inFlight
    const places = Uint32Array.from(rows, (row) => this.#inFlight.placeOf(row))
    return {
      rows,
      generations: places.map((place) => generation[place]!),
      outcomes: new Uint8Array(count).fill(outcomeStatuses.indexOf('no_data')),
      startedMs: Float64Array.from(places, (place) => startedMs[place]!),
      finishedMs: new Float64Array(count).fill(nowMs),
      latencyMs: new Float32Array(count),
      notes: Array.from({ length: count }, (_, position) => ({
        position,
        reason,
        warning: null,
        certificateExpiresAt: null,
      })),
    }
  }

  #due(row: number, scheduledMs: number): boolean {
    if (!this.queue.enqueue(row, scheduledMs, this.#nowMs)) return false
    const type = this.#options.fleet.columns.type[row]!
    this.#inFlight.begin(row, scheduledMs, type)
    this.#options.slo.expected(type, scheduledMs)
    return true
  }

  #missed(row: number, firstMs: number, count: number, _reason: MissedReason): void {
    const { fleet, slo } = this.#options
    slo.missed(fleet.columns.type[row]!, firstMs, count, fleet.policyOf(row).intervalMs)
  }

  /** Starts as many queued checks as there is room for. */
  dispatch(): void {
    const { clock } = this.#options
    const limit = Math.min(this.pool.free, BATCH_SIZE)
    if (!this.#isOpen || limit === 0 || this.queue.depth === 0) return
    this.#nowMs = clock.monotonicMs()
    this.#dispatching.begin(this.#nowMs)
    const started = this.queue.dequeue(limit, this.#nowMs, this.#startCheck)
    this.#options.runner.flush()
    this.#options.external?.flush()
    this.#dispatching.end(clock.monotonicMs(), started)
  }

  readonly #startCheck = (row: number, scheduledMs: number): boolean => {
    const { fleet, slo } = this.#options
    const { columns } = fleet
    if (!fleet.has(row) || this.scheduler.nextDueMs(row) === null) {
      // Removed, disabled or snoozed while it was queued: the row may belong to no monitor now.
      return this.#giveUp(row, scheduledMs)
    }
    const { timeoutMs, intervalMs } = fleet.policyOf(row)
    const checks = this.#inFlight
    const place = checks.placeOf(row)
    checks.startedMs[place] = this.#nowMs
    checks.timeoutMs[place] = timeoutMs
    const generation = this.#nextGeneration(row, place)
    if (columns.type[row] === this.#externalType) {
      // It takes no place in the pool, and starts when a worker is granted it.
      checks.isExternal[place] = 1
      this.#options.external?.offer({ row, generation, nextDueMs: scheduledMs + intervalMs })
      return true
    }
    this.pool.start(this.#nowMs, timeoutMs)
    slo.started(checks.type[place]!, scheduledMs, this.#nowMs)
    this.#options.runner.add(row, generation)
    return true
  }

  #nextGeneration(row: number, place: number): number {
    const { generation } = this.#options.fleet.columns
    addTo(generation, row, 1)
    this.#inFlight.generation[place] = generation[row]!
    return generation[row]!
  }

  /** A worker outside the service was granted the check of this monitor. */
  granted(row: number): void {
    const { type, scheduledMs, startedMs } = this.#inFlight
    const place = this.#inFlight.placeOf(row)
    // It may have ended while the grant was being stored.
    if (place === -1) return
    startedMs[place] = this.#options.clock.monotonicMs()
    this.#options.slo.started(type[place]!, scheduledMs[place]!, startedMs[place]!)
  }

  /** A worker has it since before this process: it is in flight, and counts as of now. Null where nothing is checked. */
  resumed(row: number): number | null {
    if (this.scheduler.nextDueMs(row) === null || this.scheduler.isInFlight(row)) return null
    const nowMs = this.#options.clock.monotonicMs()
    const place = this.#inFlight.begin(row, nowMs, this.#externalType)
    this.#inFlight.startedMs[place] = nowMs
    this.#inFlight.isExternal[place] = 1
    this.scheduler.resumed(row)
    return this.#nextGeneration(row, place)
  }

  /** No worker took the check of this monitor in time: its time slot is missed, unless nobody wants it any more. */
  notTaken(row: number): void {
    const { fleet } = this.#options
    const place = this.#inFlight.placeOf(row)
    if (place === -1) return
    const scheduledMs = this.#inFlight.scheduledMs[place]!
    this.#giveUp(row, scheduledMs)
    if (fleet.has(row) && this.scheduler.nextDueMs(row) !== null)
      this.#missed(row, scheduledMs, 1, 'in_flight')
  }

  /**
   * Results of workers outside the service. They say nothing about our own network. Those of checks that an earlier
   * process offered are not counted here as due.
   */
  takeExternalResults(turn: Turn, batch: ResultBatch, isScheduled: (position: number) => boolean): void {
    const { intake } = this.#options
    let nextNote = 0
    for (let position = 0; position < batch.rows.length; position++) {
      const note = batch.notes[nextNote]?.position === position ? batch.notes[nextNote++]! : null
      intake.take(turn, batch, position, note)
      if (isScheduled(position)) this.#ended(batch, position, false)
      else this.#takeOut(batch.rows[position]!)
    }
  }

  readonly #giveUp = (row: number, scheduledMs: number): boolean => {
    const place = this.#takeOut(row)
    if (place !== -1) this.#options.slo.abandoned(this.#inFlight.type[place]!, scheduledMs, null)
    return false
  }

  /** Where its check was; -1 when it has ended already. */
  #takeOut(row: number): number {
    this.scheduler.finished(row)
    return this.#inFlight.end(row)
  }

  #ended(batch: ResultBatch, position: number, isOwnFault: boolean): void {
    const { counts, slo } = this.#options
    const checks = this.#inFlight
    const place = this.#takeOut(batch.rows[position]!)
    if (place === -1) return
    const type = checks.type[place]!
    const scheduledMs = checks.scheduledMs[place]!
    const startedMs = checks.startedMs[place]!
    const finishedMs = batch.finishedMs[position]!
    const status = isOwnFault ? 'no_data' : outcomeStatuses[batch.outcomes[position]! & outcomeStatusMask]!
    if (checks.isExternal[place] === 0) this.pool.finish(startedMs, checks.timeoutMs[place]!, this.#nowMs)
    counts.note(type, isOwnFault ? 'own_fault' : status, finishedMs - startedMs, startedMs - scheduledMs)
    slo.finished(type, scheduledMs, startedMs, finishedMs, status)
  }

  #enroll(row: number, checkSoon: boolean): void {
    const { fleet, clock, isSnoozed } = this.#options
    const { intervalMs, enabled } = fleet.policyOf(row)
    if (!enabled || isSnoozed(row)) {
      this.scheduler.withdraw(row)
      return
    }
    const everChecked = !Number.isNaN(fleet.columns.lastCheck[row])
    const plan = { intervalMs, everChecked, checkSoon }
    this.scheduler.enroll(row, plan, clock.monotonicMs(), clock.wallMs())
  }

  #grow(capacity: number): void {
    this.scheduler.grow(capacity)
    this.#inFlight.growFor(capacity)
  }
}
