// checking/schedule/timing-wheel.ts: which of a million monitors are due, without an object or a timer for each. A hashed
// timing wheel: one list for each 10 ms tick of a revolution of about eleven minutes, linked through typed arrays.
// Monitors that are due in a later revolution stay in their list and are skipped. A monitor is never reported early, and
// at most one tick late if the wheel is advanced often enough. It knows nothing about intervals or checks.
import { grown } from '../../platform/column.ts'

export const TICK_MS = 10
const LISTS = 65_536
const LIST_MASK = LISTS - 1

/** What the current tick still has to report: a separate list, so that callbacks may arm and disarm anything. */
const REPORTING = LISTS
const FIRST_MONITOR = LISTS + 1

export type OnDue = (monitor: number, dueMs: number) => void

export class TimingWheel {
  #capacity = 0
  #armedCount = 0
  #tick: number
  // Every list is a ring through its own head, so linking and unlinking have no special case for the ends. A link is the
  // distance to its neighbour: zeros are empty lists and unarmed monitors, and take no memory until written.
  #next = new Int32Array(FIRST_MONITOR)
  #previous = new Int32Array(FIRST_MONITOR)
  #dueMs = new Float64Array(0)

  constructor(capacity: number, nowMs: number) {
    this.#tick = Math.floor(nowMs / TICK_MS)
    this.grow(capacity)
  }

  get capacity(): number {
    return this.#capacity
  }

  get armedCount(): number {
    return this.#armedCount
  }

  grow(capacity: number): void {
    if (capacity <= this.#capacity) return
    this.#next = grown(this.#next, FIRST_MONITOR + capacity)
    this.#previous = grown(this.#previous, FIRST_MONITOR + capacity)
    this.#dueMs = grown(this.#dueMs, capacity)
    this.#capacity = capacity
  }

  /** Arms a monitor, or moves it. A time in the past is due in the next tick. */
  arm(monitor: number, dueMs: number): void {
    // A write outside a typed array fails silently, and NaN would never be due.
    if (!(monitor >= 0 && monitor < this.#capacity))
      throw new RangeError(`no monitor ${monitor} in the wheel`)
    if (!Number.isFinite(dueMs)) throw new RangeError(`monitor ${monitor} cannot be due at ${dueMs}`)
    const node = FIRST_MONITOR + monitor
    if (this.isArmed(monitor)) this.#unlink(node)
    else this.#armedCount++
    this.#dueMs[monitor] = dueMs
    // Round to whole milliseconds first: a quotient that rounds down to a tick would make the monitor early.
    const tick = Math.max(Math.ceil(Math.ceil(dueMs) / TICK_MS), this.#tick + 1)
    this.#append(tick & LIST_MASK, node)
  }

  disarm(monitor: number): void {
    if (!this.isArmed(monitor)) return
    this.#unlink(FIRST_MONITOR + monitor)
    this.#armedCount--
  }

  isArmed(monitor: number): boolean {
    const distance = this.#next[FIRST_MONITOR + monitor]
    return distance !== undefined && distance !== 0
  }

  nextDueMs(monitor: number): number | null {
    return this.isArmed(monitor) ? this.#dueMs[monitor]! : null
  }

  /**
   * When advance may find something, or untilMs if not before then. A list may hold only monitors that are
   * due in a later revolution, so advance may still find nothing.
   */
  firstVisitMs(untilMs: number): number {
    const end = Math.min(Math.ceil(untilMs / TICK_MS), this.#tick + LISTS)
    for (let tick = this.#tick + 1; tick < end; tick++) {
      const head = tick & LIST_MASK
      if (this.#next[head] !== 0) return tick * TICK_MS
    }
    return untilMs
  }

  /** When the last visit within these times is due; fromMs if there is none after it. */
  lastVisitMs(fromMs: number, toMs: number): number {
    const after = Math.max(Math.floor(fromMs / TICK_MS), this.#tick)
    for (let tick = Math.floor(toMs / TICK_MS); tick > after; tick--)
      if (this.#next[tick & LIST_MASK] !== 0) return tick * TICK_MS
    return fromMs
  }

  /**
   * Advances the wheel to now and reports what is due, in the order of ticks. A monitor is disarmed before
   * its callback runs. A time before the last one is ignored.
   */
  advance(nowMs: number, onDue: OnDue): void {
    const lastTick = Math.floor(nowMs / TICK_MS)
    // After a very long gap, one full revolution visits every list once and finds everything that is due.
    for (let tick = Math.max(this.#tick + 1, lastTick - LIST_MASK); tick <= lastTick; tick++) {
      this.#tick = tick
      this.#take(tick & LIST_MASK)
      this.#report(tick, onDue)
    }
  }

  #report(tick: number, onDue: OnDue): void {
    const reachedMs = tick * TICK_MS
    for (let node = this.#after(REPORTING); node !== REPORTING; node = this.#after(REPORTING)) {
      const monitor = node - FIRST_MONITOR
      const dueMs = this.#dueMs[monitor]!
      this.#unlink(node)
      if (dueMs > reachedMs) {
        this.#append(tick & LIST_MASK, node)
      } else {
        this.#armedCount--
        onDue(monitor, dueMs)
      }
    }
  }

  /** Appends a whole list to what is still to be reported, which is non-empty only if an earlier callback threw. */
  #take(head: number): void {
    const first = this.#after(head)
    if (first === head) return
    const last = this.#before(head)
    this.#link(this.#before(REPORTING), first)
    this.#link(last, REPORTING)
    this.#link(head, head)
  }

  #append(head: number, node: number): void {
    this.#link(this.#before(head), node)
    this.#link(node, head)
  }

  #unlink(node: number): void {
    this.#link(this.#before(node), this.#after(node))
    this.#link(node, node)
  }

  #after(node: number): number {
    return node + this.#next[node]!
  }

  #before(node: number): number {
    return node + this.#previous[node]!
  }

  #link(one: number, next: number): void {
    this.#next[one] = next - one
    this.#previous[next] = one - next
  }
}
