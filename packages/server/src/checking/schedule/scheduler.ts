// checking/schedule/scheduler.ts: when each monitor is checked. It guarantees that a check is never early, never twice in
// one time slot, never concurrent with another check of the same monitor, and never part of a burst after a pause.
//
// A time slot that has come is offered to the owner once. If its check cannot start then (the slot has passed, the
// previous check is in flight, admission is closed, the queue is full), the slot is counted as missed and never replayed.
// If the scheduler was not called for over a second (a stall), every slot in that gap is missed and each monitor
// continues at its next slot; only a slot of the last tick, which is not late, is still offered. After a shorter lag the
// slots start late, so the most that can ever come at once is one second of the fleet's rate.
//
// A monitor that is expected (`expect`) has no interval and no time slots: only the one deadline that its owner
// sets, in the same wheel. It is never missed, and nothing about it is in flight.
//
// Until its first check has started, a monitor's slots come every min(interval, 30 s), so that a monitor with a long
// interval does not stay unknown if its first slot is missed. Then it joins its regular slots (phase.ts).

import { grown } from '../../platform/column.ts'
import {
  afterFirstCheckMs,
  FIRST_CHECK_WITHIN_MS,
  firstCheckDelayMs,
  firstSlotDelayMs,
  untilSlotMs,
} from './phase.ts'
import { TICK_MS, TimingWheel } from './timing-wheel.ts'

/** Above this difference, the controller lags or the wall clock jumped. */
export const DISTURBANCE_MS = 1_000
const SHORTEST_INTERVAL_MS = 1_000
const LONGEST_INTERVAL_MS = 0xffff_ffff

/** In the column of intervals: the monitor is expected, not checked. */
const noInterval = 0

const IN_FLIGHT = 1
const NEVER_CHECKED = 2

export type MissedReason = 'stall' | 'in_flight' | 'admission_closed' | 'queue_full'

/** A stall of ms, or a jump of the wall clock by ms against monotonic time (also forward, after a suspend). */
export interface Disturbance {
  readonly kind: 'stall' | 'wall_jump'
  readonly ms: number
  /** The last call of advance before it: a check that was in flight then was affected. */
  readonly sinceMs: number
}

export interface SchedulePlan {
  readonly intervalMs: number
  readonly everChecked: boolean
  /** False: the first check also waits for about the monitor's own time slot. */
  readonly checkSoon?: boolean
}

/** The first four are called during advance. They may withdraw and finish, but not enroll or advance. */
export interface SchedulerOwner {
  /** A time slot has come; false if the queue is full. After true, the owner must eventually call finished. */
  due(monitor: number, scheduledMs: number): boolean
  /** This many time slots were not started, the first at firstMs. */
  missed(monitor: number, firstMs: number, count: number, reason: MissedReason): void
  /** Called before any slot of the same call, so that affected checks can be marked first. */
  disturbed(disturbance: Disturbance): void
  /** A deadline that was set with expect has come; nothing is armed now. Absent if nothing is expected. */
  deadline?(monitor: number): void
  /** stableHash of the monitor's identity, from which its time slots are derived. */
  identityHash(monitor: number): number
}

export class Scheduler {
  readonly #owner: SchedulerOwner
  readonly #wheel: TimingWheel
  #intervalMs: Uint32Array<ArrayBuffer>
  #flags: Uint8Array<ArrayBuffer>

  #nowMs: number
  /** The owner does not intend to call before this time. */
  #restsUntilMs = Number.NEGATIVE_INFINITY
  /** Changed only by a jump, so that small steps that add up to one are detected too. */
  #wallMinusMonotonicMs: number
  #oldestStartableMs = Number.NEGATIVE_INFINITY
  #admissionOpen = true
  #checksPerSecond = 0
  #started = 0
  #missed = 0

  constructor(capacity: number, nowMs: number, wallMs: number, owner: SchedulerOwner) {
    this.#owner = owner
    this.#wheel = new TimingWheel(capacity, nowMs)
    this.#intervalMs = new Uint32Array(capacity)
    this.#flags = new Uint8Array(capacity)
    this.#nowMs = Math.floor(nowMs)
    this.#wallMinusMonotonicMs = wallMs - nowMs
  }

  get capacity(): number {
    return this.#wheel.capacity
  }

  get enrolledCount(): number {
    return this.#wheel.armedCount
  }

  /** The sum of 1/interval over all enrolled monitors. */
  get checksPerSecond(): number {
    return this.#checksPerSecond
  }

  /** Time slots whose check the owner accepted. */
  get startedSlots(): number {
    return this.#started
  }

  get missedSlots(): number {
    return this.#missed
  }

  grow(capacity: number): void {
    if (capacity <= this.#wheel.capacity) return
    this.#wheel.grow(capacity)
    this.#intervalMs = grown(this.#intervalMs, capacity)
    this.#flags = grown(this.#flags, capacity)
  }

  /**
   * Starts checking a monitor, or continues with another interval. A check in flight stays in flight, and an
   * index may be given to another monitor only after finished was called for the previous one.
   */
  enroll(monitor: number, plan: SchedulePlan, nowMs: number, wallMs: number): void {
    const { intervalMs } = plan
    if (
      !Number.isInteger(intervalMs) ||
      intervalMs < SHORTEST_INTERVAL_MS ||
      intervalMs > LONGEST_INTERVAL_MS
    ) {
      throw new RangeError(`an interval of ${intervalMs} ms cannot be scheduled`)
    }
    const untilSlot = untilSlotMs(this.#owner.identityHash(monitor), intervalMs, wallMs)
    const firstDelayMs = plan.checkSoon === false ? firstSlotDelayMs : firstCheckDelayMs
    const delayMs = plan.everChecked ? untilSlot : firstDelayMs(untilSlot, intervalMs)
    this.withdraw(monitor)
    this.#wheel.arm(monitor, Math.ceil(nowMs) + delayMs)
    this.#intervalMs[monitor] = intervalMs
    this.#flags[monitor] = (this.#flags[monitor]! & IN_FLIGHT) | (plan.everChecked ? 0 : NEVER_CHECKED)
    this.#checksPerSecond += 1_000 / intervalMs
  }

  /** Sets the one deadline of a monitor without time slots, or moves it; null: it has none now. */
  expect(monitor: number, dueMs: number | null): void {
    if (this.#wheel.isArmed(monitor) && this.#intervalMs[monitor] !== noInterval) this.withdraw(monitor)
    this.#intervalMs[monitor] = noInterval
    if (dueMs === null) this.#wheel.disarm(monitor)
    else this.#wheel.arm(monitor, dueMs)
  }

  /** Stops checking a monitor. A check in flight still ends with finished. */
  withdraw(monitor: number): void {
    if (!this.#wheel.isArmed(monitor)) return
    this.#wheel.disarm(monitor)
    if (this.#intervalMs[monitor] === noInterval) return
    // An empty fleet has a rate of exactly 0, whatever rounding the additions left behind.
    this.#checksPerSecond =
      this.#wheel.armedCount === 0 ? 0 : this.#checksPerSecond - 1_000 / this.#intervalMs[monitor]!
  }

  /** The check that was offered by due has ended, or was given up. */
  finished(monitor: number): void {
    this.#flags[monitor]! &= ~IN_FLIGHT
  }

  /** A check that began before this schedule is in flight. It ends with finished. */
  resumed(monitor: number): void {
    this.#flags[monitor]! |= IN_FLIGHT
  }

  isInFlight(monitor: number): boolean {
    return (this.#flags[monitor]! & IN_FLIGHT) !== 0
  }

  nextDueMs(monitor: number): number | null {
    return this.#wheel.nextDueMs(monitor)
  }

  /** While admission is closed, time slots pass unused. Opening it again starts none of them. */
  setAdmission(open: boolean): void {
    this.#admissionOpen = open
  }

  /** The owner was busy enrolling monitors: the time since the last call is not a stall, and its slots are only late. */
  resume(nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, Math.floor(nowMs))
  }

  /** No slot comes before the returned time. Searches up to untilMs. */
  firstSlotMs(untilMs: number): number {
    return this.#wheel.firstVisitMs(untilMs)
  }

  /** The last slot that may come within these times; fromMs if there is none after it. */
  lastSlotMs(fromMs: number, toMs: number): number {
    return this.#wheel.lastVisitMs(fromMs, toMs)
  }

  /** The owner has nothing to do until then: that time is not a stall, and stalls are measured from there. */
  rest(untilMs: number): void {
    this.#restsUntilMs = Math.floor(untilMs)
  }

  /** Offers every time slot that has come. Call it about once per tick, and when a rest is over. */
  advance(nowMs: number, wallMs: number): void {
    const sinceMs = this.#nowMs
    if (Math.floor(nowMs) < sinceMs) return
    this.#nowMs = Math.floor(nowMs)
    const sinceLastMs = this.#nowMs - Math.min(this.#nowMs, Math.max(sinceMs, this.#restsUntilMs))
    this.#restsUntilMs = Number.NEGATIVE_INFINITY
    const stalled = sinceLastMs > DISTURBANCE_MS
    this.#oldestStartableMs = stalled ? this.#nowMs - TICK_MS : Number.NEGATIVE_INFINITY
    this.#noticeJump(wallMs - nowMs, sinceMs)
    if (stalled) this.#owner.disturbed({ kind: 'stall', ms: sinceLastMs, sinceMs })
    this.#wheel.advance(this.#nowMs, this.#slotHasCome)
  }

  #noticeJump(wallMinusMonotonicMs: number, sinceMs: number): void {
    const jumpMs = wallMinusMonotonicMs - this.#wallMinusMonotonicMs
    if (Math.abs(jumpMs) <= DISTURBANCE_MS) return
    this.#wallMinusMonotonicMs = wallMinusMonotonicMs
    this.#owner.disturbed({ kind: 'wall_jump', ms: Math.round(jumpMs), sinceMs })
  }

  // Times and intervals are whole milliseconds, so counting slots by division is exact.
  readonly #slotHasCome = (monitor: number, scheduledMs: number): void => {
    if (this.#intervalMs[monitor] === noInterval) {
      this.#owner.deadline?.(monitor)
      return
    }
    const neverChecked = (this.#flags[monitor]! & NEVER_CHECKED) !== 0
    const intervalMs = this.#intervalMs[monitor]!
    const spacingMs = neverChecked ? Math.min(intervalMs, FIRST_CHECK_WITHIN_MS) : intervalMs
    const passed = Math.floor((this.#nowMs - scheduledMs) / spacingMs)
    const slotMs = scheduledMs + passed * spacingMs
    // Armed before the owner is called: it may withdraw the monitor, and that must last.
    this.#wheel.arm(monitor, slotMs + spacingMs)
    if (passed > 0) this.#miss(monitor, scheduledMs, passed, 'stall')
    if (!this.#wheel.isArmed(monitor)) return
    const refusal = this.#refusal(monitor, slotMs)
    if (refusal !== null) this.#miss(monitor, slotMs, 1, refusal)
    else if (!this.#offer(monitor, slotMs)) this.#miss(monitor, slotMs, 1, 'queue_full')
    else if (neverChecked) this.#joinGrid(monitor, slotMs)
  }

  #refusal(monitor: number, slotMs: number): MissedReason | null {
    if (slotMs < this.#oldestStartableMs) return 'stall'
    if (this.#flags[monitor]! & IN_FLIGHT) return 'in_flight'
    return this.#admissionOpen ? null : 'admission_closed'
  }

  #offer(monitor: number, slotMs: number): boolean {
    this.#flags[monitor]! |= IN_FLIGHT
    const taken = this.#owner.due(monitor, slotMs)
    if (taken) this.#started++
    else this.#flags[monitor]! &= ~IN_FLIGHT
    return taken
  }

  #joinGrid(monitor: number, firstCheckMs: number): void {
    if (!this.#wheel.isArmed(monitor)) return
    this.#flags[monitor]! &= ~NEVER_CHECKED
    const wallMs = firstCheckMs + this.#wallMinusMonotonicMs
    const hash = this.#owner.identityHash(monitor)
    this.#wheel.arm(monitor, firstCheckMs + afterFirstCheckMs(hash, this.#intervalMs[monitor]!, wallMs))
  }

  #miss(monitor: number, firstMs: number, count: number, reason: MissedReason): void {
    this.#missed += count
    this.#owner.missed(monitor, firstMs, count, reason)
  }
}
