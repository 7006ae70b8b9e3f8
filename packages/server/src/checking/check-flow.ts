// checking/check-flow.ts: the path of a check: schedule → queue → pool → source → result. It knows which
// checks are in flight and counts every stage. The source decides how a check is carried out, and the intake
// decides what a result means. The engine calls it in its turns.

import { localPlace } from '../config/local-place.ts'
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
import {
  type CheckSource,
  type PartResult,
  type SourceDeadlines,
  sourceElsewhere,
  sourcesOfTypes,
  type WatchedBecause,
} from './check-source.ts'
import { ChecksInFlight, stages } from './checks-in-flight.ts'
import { lostBatch } from './lost-batch.ts'
import type { PoolBounds } from './pool/sizing.ts'
import { WorkerPool } from './pool/worker-pool.ts'
import type { ResultBatch, ResultNote } from './probe/probe-protocol.ts'
import { notMade, outcomeStatuses, outcomeStatusMask } from './probe/probe-protocol.ts'
import { BoundedQueue, PULSE_QUEUE_CAPACITY } from './queue/bounded-queue.ts'
import type { ResultIntake } from './result-intake.ts'
import { FirstChecks } from './schedule/first-checks.ts'
import { type Disturbance, type MissedReason, Scheduler } from './schedule/scheduler.ts'

const none: readonly never[] = []
const ownFaultReason = 'the network of the service does not work'
const couldNotBeMade = outcomeStatuses.indexOf('no_data') | notMade

/** The most checks offered to sources in one tick. */
export const BATCH_SIZE = 1_000

export interface CheckFlowOptions {
  readonly fleet: Fleet
  readonly clock: Clock
  readonly intake: ResultIntake
  readonly slo: SloWindow
  readonly meters: SystemMeters
  readonly counts: CheckCounts
  readonly poolBounds: PoolBounds
  readonly queueTargetMs: number
  /** Asked right before checks are offered. False while another process may have taken the store over. */
  readonly mayStart: () => boolean
  /** Together they must cover every check type of the fleet. */
  readonly sources: readonly CheckSource[]
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
  readonly #sources: readonly CheckSource[]
  /** Source index, by check type. */
  readonly #sourceOf: Uint8Array
  readonly #sourceElsewhere: number
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
      deadline: (row) => this.#deadlinesOf(row)?.passed(row),
      identityHash: options.fleet.identityHashOf,
    })
    this.queue = new BoundedQueue(PULSE_QUEUE_CAPACITY, this.#nowMs)
    this.pool = new WorkerPool({ bounds: poolBounds, waitTargetMs: queueTargetMs }, this.#nowMs)
    this.#scheduling = meters.add('schedule')
    this.#dispatching = meters.add('dispatch')
    this.#results = meters.add('results')
    this.#sources = options.sources
    this.#sourceOf = sourcesOfTypes(options.fleet.types, options.sources)
    this.#sourceElsewhere = sourceElsewhere(options.sources)
    for (const { deadlines } of options.sources)
      deadlines?.connect((row, dueMs) => this.scheduler.expect(row, dueMs))
  }

  /** Applies changes of the fleet, which already has the new arrangement. */
  applyArrangement(arrangement: Arrangement, credentials: ReadonlyMap<string, string>): void {
    const { definition, columns } = this.#options.fleet
    this.#grow(columns.capacity)
    for (const source of this.#sources) source.setFleet(definition, credentials, columns.capacity)
    this.#enrollAll(arrangement)
  }

  /** Applies a change of single monitors. credentials: null if their values stay as they are. */
  applyAmendment(arrangement: Arrangement, credentials: ReadonlyMap<string, string> | null): void {
    const { definition, columns } = this.#options.fleet
    const rows = Uint32Array.from([...arrangement.added, ...arrangement.changed, ...arrangement.removed])
    const amendment = { rows, credentials, capacity: columns.capacity }
    this.#grow(columns.capacity)
    for (const source of this.#sources) source.amendFleet(definition, amendment)
    this.#enrollAll(arrangement)
  }

  #enrollAll({ added, removed, changed, changedBits }: Arrangement): void {
    const { fleet, clock } = this.#options
    for (const row of removed) this.#withdraw(row)
    const { lastCheck } = fleet.columns
    let neverChecked = 0
    for (const row of added)
      if (Number.isNaN(lastCheck[row]) && this.#deadlinesOf(row) === null) neverChecked++
    const checkSoon = this.#firstChecks.grant(neverChecked, clock.monotonicMs())
    for (const row of added) this.#enroll(row, checkSoon, 'added')
    const affectsSchedule = changedParts.policy | changedParts.check
    for (const [index, row] of changed.entries()) {
      if (changedBits[index]! & changedParts.check) this.#cancel(row)
      const isOther = (changedBits[index]! & changedParts.check) !== 0
      if (changedBits[index]! & affectsSchedule) this.#enroll(row, true, isOther ? 'check-changed' : 'again')
    }
    // Enrolling a large fleet takes a while, which is not a stall.
    this.scheduler.resume(clock.monotonicMs())
    this.pool.adapt(this.checksPerSecond, null, clock.monotonicMs())
  }

  /**
   * A snoozed monitor is not checked. After the snooze it continues at its regular time slots, so that many never burst.
   */
  follow({ steps }: Decision): void {
    const { fleet } = this.#options
    for (const { row, before, step } of steps) {
      const { snooze } = step.state
      if ((before.snooze === null) === (snooze === null)) continue
      if (isActive(step.state)) this.#enroll(row, true, 'again')
      else if (snooze !== null) {
        fleet.dropResults(row)
        this.#withdraw(row)
      }
    }
  }

  /**
   * Advances the schedule and queues what is due. Returns the stalls and clock jumps that it detected. Every turn of the
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
   * Whether checks may start. While admission is closed, time slots pass unused, and queued checks are given
   * up, because they would be stale when it opens again.
   */
  setAdmission(open: boolean): void {
    this.scheduler.setAdmission(open)
    this.#isOpen = open
    if (!open) this.queue.dequeue(this.queue.depth, this.#options.clock.monotonicMs(), this.#giveUp)
  }

  /** Resizes the pool to the arrival rate and the service times. */
  adaptPool(): void {
    const nowMs = this.#options.clock.monotonicMs()
    const { arrivalCv } = this.queue.arrivals(nowMs)
    let load = 0
    for (const source of this.#sources) load = Math.max(load, source.takeLoad?.() ?? 0)
    this.pool.adapt(this.checksPerSecond, arrivalCv, nowMs, load)
  }

  /** Regular checks and first checks. */
  get checksPerSecond(): number {
    return this.scheduler.checksPerSecond + this.#firstChecks.perSecond(this.#options.clock.monotonicMs())
  }

  /** How late the next check to start is. */
  get delayMs(): number {
    const scheduledMs = this.queue.oldestScheduledMs
    return scheduledMs === null ? 0 : this.#options.clock.monotonicMs() - scheduledMs
  }

  /** Results of one source. */
  takeResults(turn: Turn, source: CheckSource, batch: ResultBatch): void {
    const { clock, intake } = this.#options
    const isFull = this.pool.free === 0
    this.#nowMs = clock.monotonicMs()
    this.#results.begin(this.#nowMs)
    if (source.runsHere) intake.count(batch, turn)
    let nextNote = 0
    for (let position = 0; position < batch.rows.length; position++) {
      let note: ResultNote | null = null
      if (nextNote < batch.notes.length && batch.notes[nextNote]!.position === position)
        note = batch.notes[nextNote++]!
      const owner = source.runsHere ? this.#ownerOf(batch.rows[position]!, source) : source
      if (owner.takePart !== undefined && owner !== source) {
        owner.takePart(this.#partOf(turn, batch, position, note))
        continue
      }
      const isOwnFault = intake.take(turn, batch, position, note)
      if (source.deadlines === undefined) this.#ended(batch, position, isOwnFault)
      else this.#reported(batch, position)
    }
    this.#results.end(clock.monotonicMs(), batch.rows.length)
    // Checks were waiting for the workers that are now free. Otherwise due checks go out together with the next tick.
    if (isFull && this.queue.depth > 0) this.dispatch()
  }

  /** The source that this check was offered to; the given one if it has already ended. */
  #ownerOf(row: number, source: CheckSource): CheckSource {
    const place = this.#inFlight.placeOf(row)
    if (place === -1 || this.#inFlight.stage[place] === stages.queued) return source
    return this.#sources[this.#inFlight.source[place]!]!
  }

  #partOf(turn: Turn, batch: ResultBatch, position: number, note: ResultNote | null): PartResult {
    const isOwnFault = this.#options.intake.isOwnFault(turn, batch, position)
    return {
      row: batch.rows[position]!,
      generation: batch.generations[position]!,
      startedMs: batch.startedMs[position]!,
      outcome: isOwnFault ? couldNotBeMade : batch.outcomes[position]! & outcomeStatusMask,
      latencyMs: batch.latencyMs[position]!,
      note: isOwnFault
        ? { position, reason: ownFaultReason, warning: null, certificateExpiresAt: null }
        : note,
    }
  }

  /** Results for checks that their source has lost. */
  lostBatch(rows: Uint32Array, reason: string): ResultBatch {
    return lostBatch(this.#inFlight, rows, reason, this.#options.clock.monotonicMs())
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

  /** Offers as many queued checks as there is room for. */
  dispatch(): void {
    const { clock } = this.#options
    const limit = Math.min(this.pool.free, BATCH_SIZE)
    if (!this.#isOpen || limit === 0 || this.queue.depth === 0 || !this.#options.mayStart()) return
    this.#nowMs = clock.monotonicMs()
    this.#dispatching.begin(this.#nowMs)
    const offered = this.queue.dequeue(limit, this.#nowMs, this.#offer)
    for (const source of this.#sources) source.flush()
    this.#dispatching.end(clock.monotonicMs(), offered)
  }

  readonly #offer = (row: number, scheduledMs: number): boolean => {
    const { fleet, slo } = this.#options
    const { columns } = fleet
    if (!fleet.has(row) || this.scheduler.nextDueMs(row) === null) {
      // Removed, disabled or snoozed while it was queued: the row may not belong to a monitor now.
      return this.#giveUp(row, scheduledMs)
    }
    const { timeoutMs, intervalMs, places } = fleet.policyOf(row)
    const checks = this.#inFlight
    const place = checks.placeOf(row)
    checks.startedMs[place] = this.#nowMs
    checks.timeoutMs[place] = timeoutMs
    const number = places === undefined ? this.#sourceOf[columns.type[row]!]! : this.#sourceElsewhere
    if (number === -1) throw new Error('no source runs checks at other locations')
    const source = this.#sources[number]!
    checks.source[place] = number
    checks.stage[place] = source.startsAtOnce ? stages.started : stages.offered
    if (source.runsHere || places?.locations.includes(localPlace) === true) {
      checks.isHere[place] = 1
      this.pool.start(this.#nowMs, timeoutMs)
    }
    if (source.startsAtOnce) slo.started(checks.type[place]!, scheduledMs, this.#nowMs)
    source.offer(row, this.#nextGeneration(row, place), scheduledMs + intervalMs)
    return true
  }

  #nextGeneration(row: number, place: number): number {
    const { generation } = this.#options.fleet.columns
    addTo(generation, row, 1)
    this.#inFlight.generation[place] = generation[row]!
    return generation[row]!
  }

  /** A source that does not start checks at once has started this one. */
  started(row: number): void {
    const { type, scheduledMs, startedMs, stage } = this.#inFlight
    const place = this.#inFlight.placeOf(row)
    // The check may have ended while its start was being stored.
    if (place === -1) return
    stage[place] = stages.started
    startedMs[place] = this.#options.clock.monotonicMs()
    this.#options.slo.started(type[place]!, scheduledMs[place]!, startedMs[place]!)
  }

  /**
   * The source still has this check from an earlier process: it is in flight, and counts from now. Null if
   * the monitor is not checked.
   */
  resumed(row: number): number | null {
    if (this.scheduler.nextDueMs(row) === null || this.scheduler.isInFlight(row)) return null
    const nowMs = this.#options.clock.monotonicMs()
    const type = this.#options.fleet.columns.type[row]!
    const checks = this.#inFlight
    const place = checks.begin(row, nowMs, type)
    checks.startedMs[place] = nowMs
    checks.source[place] = this.#sourceOf[type]!
    checks.stage[place] = stages.resumed
    this.scheduler.resumed(row)
    return this.#nextGeneration(row, place)
  }

  /** The monitor's offer was not taken in time: its time slot is missed, unless the monitor is no longer checked. */
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
   * A result that no time slot led to: its generation, or null if the monitor is not watched and the result does
   * not count.
   */
  reported(row: number): number | null {
    const { fleet, isSnoozed } = this.#options
    if (!fleet.has(row) || !fleet.policyOf(row).enabled || isSnoozed(row)) return null
    addTo(fleet.columns.generation, row, 1)
    return fleet.columns.generation[row]!
  }

  /** Null if the monitor is checked at intervals. */
  #deadlinesOf(row: number): SourceDeadlines | null {
    return this.#sources[this.#sourceOf[this.#options.fleet.columns.type[row]!]!]!.deadlines ?? null
  }

  #withdraw(row: number): void {
    this.#cancel(row)
    for (const { deadlines } of this.#sources) deadlines?.unwatch(row)
    this.scheduler.withdraw(row)
  }

  /** The result would no longer count. A check that is still queued is dropped when it comes out of the queue. */
  #cancel(row: number): void {
    const { source, stage, scheduledMs } = this.#inFlight
    const place = this.#inFlight.placeOf(row)
    if (place === -1 || stage[place] === stages.queued) return
    if (this.#sources[source[place]!]!.cancel(row)) this.#giveUp(row, scheduledMs[place]!)
  }

  /** The check ends without a result. */
  readonly #giveUp = (row: number, scheduledMs: number): boolean => {
    const checks = this.#inFlight
    const place = this.#takeOut(row)
    if (place === -1 || checks.stage[place] === stages.resumed) return false
    const startedMs = checks.stage[place] === stages.started ? checks.startedMs[place]! : null
    this.#options.slo.abandoned(checks.type[place]!, scheduledMs, startedMs)
    if (startedMs !== null) this.#leavePool(place)
    return false
  }

  #leavePool(place: number): void {
    const { isHere, startedMs, timeoutMs } = this.#inFlight
    if (isHere[place] === 1) this.pool.finish(startedMs[place]!, timeoutMs[place]!, this.#nowMs)
  }

  /** The place of the row's check; -1 if it has already ended. */
  #takeOut(row: number): number {
    this.scheduler.finished(row)
    return this.#inFlight.end(row)
  }

  #ended(batch: ResultBatch, position: number, isOwnFault: boolean): void {
    const { counts, slo } = this.#options
    const checks = this.#inFlight
    const place = this.#takeOut(batch.rows[position]!)
    // A resumed check was already counted as expected by an earlier process.
    if (place === -1 || checks.stage[place] === stages.resumed) return
    const type = checks.type[place]!
    const scheduledMs = checks.scheduledMs[place]!
    const startedMs = checks.startedMs[place]!
    const finishedMs = batch.finishedMs[position]!
    const status = isOwnFault ? 'no_data' : outcomeStatuses[batch.outcomes[position]! & outcomeStatusMask]!
    this.#leavePool(place)
    counts.note(type, isOwnFault ? 'own_fault' : status, finishedMs - startedMs, startedMs - scheduledMs)
    slo.finished(type, scheduledMs, startedMs, finishedMs, status)
  }

  #reported({ rows, outcomes }: ResultBatch, position: number): void {
    const { counts, fleet } = this.#options
    const status = outcomeStatuses[outcomes[position]! & outcomeStatusMask]!
    counts.noteReported(fleet.columns.type[rows[position]!]!, status)
  }

  #enroll(row: number, checkSoon: boolean, because: WatchedBecause): void {
    const { fleet, clock, isSnoozed } = this.#options
    const { intervalMs, enabled } = fleet.policyOf(row)
    if (!enabled || isSnoozed(row)) {
      this.#withdraw(row)
      return
    }
    const deadlines = this.#deadlinesOf(row)
    if (deadlines !== null) {
      // It may have been checked at intervals until now.
      this.scheduler.expect(row, null)
      deadlines.watch(row, because)
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
