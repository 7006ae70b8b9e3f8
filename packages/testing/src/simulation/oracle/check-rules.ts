// simulation/oracle/check-rules.ts: when checks may start: at the time slots of the monitor's own phase, never early,
// never twice in a slot, never concurrently with another of the same monitor, and never for a slot in a pause. The slots
// are computed here from the identity and the clocks, independently of the scheduler.
import { stableHash } from '@pulseward/server/internal/platform/string-hash.ts'
import type { CheckInFlight } from '../../engine/fake-targets.ts'
import type { PlannedMonitor } from '../fleet-plan.ts'
import type { Findings } from './findings.ts'
import type { Scene } from './scene.ts'

const stallMs = 1_000
/** A slot may be noticed this much later. */
const tickMs = 10

interface Grid {
  readonly intervalMs: number
  /** The start of one slot, by the monotonic clock. */
  readonly baseMs: number
  /** The slots are computed again with the first check that starts. */
  readonly isProvisional: boolean
  lastSlot: number
  /**
   * The slot before the last one had no check in time: it may have waited for a worker, and start together with the next.
   */
  isOneLate: boolean
  /** A check for a slot of the previous schedule waits for a worker. */
  hasWaiting: boolean
}

export class CheckRules {
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #grids = new Map<string, Grid>()
  readonly #inFlight = new Map<number, string>()
  #lastTickMs = 0
  /** When a stall since the last tick began; slots before it were taken, if there was anything to do. */
  #stalledFromMs: number | null = null
  #gap = { fromMs: 0, toMs: 0 }
  #pausedAtMs: number | null = null

  constructor(scene: Scene, findings: Findings) {
    this.#scene = scene
    this.#findings = findings
  }

  processStarted(): void {
    this.#grids.clear()
    this.#inFlight.clear()
    this.#pausedAtMs = null
    this.#stalledFromMs = null
    this.#gap = { fromMs: 0, toMs: 0 }
  }

  /** The schedule is armed. */
  armed(): void {
    this.#lastTickMs = this.#nowMs
    this.#gap = { fromMs: 0, toMs: 0 }
    for (const monitor of this.#scene.plan.monitors.values())
      if (monitor.enabled && !this.#scene.isSnoozed(monitor.id)) this.#enroll(monitor)
  }

  /** The schedule continues at its own slots when the snooze has ended. */
  silenced(id: string, isSnoozed: boolean): void {
    const monitor = this.#scene.monitor(id)
    if (isSnoozed) this.#grids.delete(id)
    else if (monitor?.enabled) this.#enroll(monitor)
  }

  /** Another fleet is in force; `before` are the previous monitors. */
  reloaded(before: ReadonlyMap<string, PlannedMonitor>): void {
    for (const monitor of this.#scene.plan.monitors.values()) {
      const last = before.get(monitor.id)
      const grid = this.#grids.get(monitor.id)
      if (!monitor.enabled || this.#scene.isSnoozed(monitor.id)) this.#grids.delete(monitor.id)
      else if (last === undefined || grid === undefined || hasAnotherSchedule(last, monitor))
        this.#enroll(monitor)
    }
    for (const id of before.keys()) if (!this.#scene.plan.monitors.has(id)) this.#grids.delete(id)
    // Arming takes a moment, which is not a stall.
    this.#lastTickMs = this.#nowMs
  }

  /** Called before the scheduler runs. */
  ticking(): void {
    const nowMs = this.#nowMs
    if (nowMs - this.#lastTickMs > stallMs)
      this.#gap = { fromMs: this.#stalledFromMs ?? this.#lastTickMs, toMs: nowMs - tickMs }
    this.#stalledFromMs = null
    this.#lastTickMs = nowMs
  }

  /** Nothing ran since then. */
  lagged(fromMs: number): void {
    this.#stalledFromMs ??= fromMs
  }

  paused(): void {
    this.#pausedAtMs ??= this.#nowMs
  }

  resumed(): void {
    if (this.#pausedAtMs !== null) this.#gap = { fromMs: this.#pausedAtMs, toMs: this.#lastTickMs - tickMs }
    this.#pausedAtMs = null
  }

  /** An earlier process granted it to a worker, which still has it. */
  leftWithWorker(row: number, monitorId: string): void {
    this.#inFlight.set(row, monitorId)
  }

  started({ monitorId, row }: Pick<CheckInFlight, 'monitorId' | 'row'>): void {
    const other = this.#inFlight.get(row)
    if (other !== undefined) this.#note(`a check of ${monitorId} begins beside one of ${other}`)
    this.#inFlight.set(row, monitorId)
    if (this.#pausedAtMs !== null) this.#note(`a check of ${monitorId} begins while nothing can be written`)
    const grid = this.#grids.get(monitorId)
    if (grid === undefined) return this.#note(`${monitorId} is checked and should not be`)
    if (grid.hasWaiting) {
      grid.hasWaiting = false
      return
    }
    const nowMs = this.#nowMs
    const number = Math.floor((nowMs - grid.baseMs) / grid.intervalMs)
    const slotMs = grid.baseMs + number * grid.intervalMs
    // A check that waits for a worker may start in the slot after its own, followed by the check of that slot.
    const isLate = number === grid.lastSlot && grid.isOneLate
    const mayWaitFrom = grid.isOneLate ? grid.lastSlot : grid.lastSlot + 1
    const mayHaveWaited = grid.baseMs + mayWaitFrom * grid.intervalMs <= this.#gap.fromMs
    grid.isOneLate = !isLate && number > grid.lastSlot + 1
    // An early check falls into the slot before its own, which already had its check.
    if (number <= grid.lastSlot && !isLate) this.#note(`${monitorId} is checked early, or twice in a slot`)
    else if (slotMs > this.#gap.fromMs && slotMs < this.#gap.toMs && !mayHaveWaited)
      this.#note(`a slot of ${monitorId} that lay in a pause is made up for`)
    grid.lastSlot = number
    if (grid.isProvisional) this.#grids.set(monitorId, this.#gridOf(monitorId, grid.intervalMs, false))
  }

  ended(row: number): void {
    this.#inFlight.delete(row)
  }

  get #nowMs(): number {
    return this.#scene.clock.monotonicMs()
  }

  #enroll({ id, intervalSeconds, job }: PlannedMonitor): void {
    // A job reports by itself, and is never checked.
    if (job !== undefined) {
      this.#grids.delete(id)
      return
    }
    const { lastCheck } = this.#scene.running.fleet.columns
    const wasChecked = !Number.isNaN(lastCheck[this.#scene.rowOf(id)])
    this.#grids.set(id, this.#gridOf(id, intervalSeconds * 1000, !wasChecked))
  }

  #gridOf(id: string, intervalMs: number, isProvisional: boolean): Grid {
    const phaseMs = Math.floor((stableHash(id) / 0x1_0000_0000) * intervalMs)
    const sinceSlotMs = (this.#scene.clock.wallMs() - phaseMs) % intervalMs
    const row = this.#scene.rowOf(id)
    const hasWaiting = this.#scene.running.parts.checks.scheduler.isInFlight(row) && !this.#inFlight.has(row)
    const baseMs = this.#nowMs - sinceSlotMs
    return { intervalMs, baseMs, isProvisional, lastSlot: 0, isOneLate: false, hasWaiting }
  }

  #note(words: string): void {
    this.#findings.note('7 checks on time', words)
  }
}

function hasAnotherSchedule(last: PlannedMonitor, monitor: PlannedMonitor): boolean {
  return (
    last.intervalSeconds !== monitor.intervalSeconds ||
    last.timeoutSeconds !== monitor.timeoutSeconds ||
    last.enabled !== monitor.enabled ||
    last.unhealthyThreshold !== monitor.unhealthyThreshold ||
    last.healthyThreshold !== monitor.healthyThreshold ||
    last.checkVersion !== monitor.checkVersion
  )
}
