// deciding/actions/intervention-queue.ts: all queued interventions. The budget limits how many start per minute, and
// those of one recovery target run one at a time. One whose ancestor is in trouble is asked about again every second.
// What waits for the budget stays in the heap, so that a call costs what it starts and not what waits.
import type { Instant } from '../health/health.ts'
import type { HoldReason, OpenAction } from './monitor-actions.ts'
import { isQueued, WaitingActions } from './waiting-actions.ts'

/** What the ledger cannot look up itself. */
export interface InterventionGuard {
  /** An ancestor is in trouble, or the monitor is in maintenance: it must not be recovered now. */
  holdOf(monitorId: string): 'ancestor' | 'maintenance' | null
  /** Interventions with the same target do not run at the same time. */
  targetOf(monitorId: string): string
}

/** The queue is not told when an ancestor is well again. */
const askAgainMs = 1000

/** Bounds a call when thousands wait for one ancestor. */
const examinedAtMost = 256

export class InterventionQueue {
  readonly budget: RecoveryBudget
  readonly #waiting = new WaitingActions()
  readonly #running = new Map<OpenAction, string>()
  readonly #busyTargets = new Set<string>()
  readonly #behindTarget = new Map<string, OpenAction[]>()

  constructor(startsPerMinute: number) {
    this.budget = new RecoveryBudget(startsPerMinute)
  }

  get queued(): number {
    return this.#waiting.count
  }

  add(open: OpenAction): void {
    this.#waiting.add(open)
  }

  /** It was started by the previous process and still runs: nothing else may act on its target. */
  resumed(open: OpenAction, target: string): void {
    this.#busyTargets.add(target)
    this.#running.set(open, target)
  }

  /** Its action is cancelled already. */
  cancelled(open: OpenAction): void {
    this.#waiting.cancelled(open)
  }

  takeStartable(
    now: Instant,
    holdOf: (open: OpenAction) => HoldReason | null,
    guard: InterventionGuard,
  ): OpenAction | undefined {
    for (let examined = 0; examined < examinedAtMost && this.budget.freeAt(now) <= now; examined++) {
      const open = this.#waiting.takeDue(now)
      if (open === undefined) return undefined
      if (isQueued(open) && this.#mayStart(open, now, holdOf, guard)) {
        this.budget.spend(now)
        this.#waiting.started()
        return open
      }
    }
    return undefined
  }

  release(open: OpenAction): void {
    this.#waiting.release(open)
  }

  ended(open: OpenAction): void {
    const target = this.#running.get(open)
    if (target === undefined) return
    this.#running.delete(open)
    this.#busyTargets.delete(target)
    this.#releaseBehind(target)
  }

  /** The clock was set. Open actions have moved already; cancelled ones have not and must go. */
  move(stepMs: number): void {
    this.budget.move(stepMs)
    this.#waiting.sweep()
  }

  nextStartAt(now: Instant): Instant | null {
    const { first } = this.#waiting
    return first === undefined ? null : Math.max(first.dueAt, this.budget.freeAt(now))
  }

  /** How many only the budget keeps from starting. */
  heldByBudget(now: Instant): number {
    if (this.budget.freeAt(now) <= now) return 0
    let held = 0
    for (const open of this.#waiting.values()) if (isQueued(open) && open.dueAt <= now) held++
    return held
  }

  /**
   * Releases all of them, not only the first: that one may be held by something else and never run, and then nothing
   * would release the rest. So nothing ever waits for a target that is free.
   */
  #releaseBehind(target: string): void {
    const waiting = this.#behindTarget.get(target) ?? []
    this.#behindTarget.delete(target)
    for (const open of waiting) {
      if (!isQueued(open)) continue
      open.heldBy = null
      this.#waiting.putBack(open)
    }
  }

  #mayStart(
    open: OpenAction,
    now: Instant,
    holdOf: (open: OpenAction) => HoldReason | null,
    guard: InterventionGuard,
  ): boolean {
    open.heldBy = holdOf(open)
    if (open.heldBy !== null) {
      this.#waiting.hold(open)
      return false
    }
    const { monitorId } = open.action
    if (monitorId === null) throw new Error(`the intervention ${open.action.id} has no monitor`)
    open.heldBy = guard.holdOf(monitorId)
    if (open.heldBy !== null) {
      open.dueAt = now + askAgainMs
      this.#waiting.putBack(open)
      return false
    }
    return this.#isTargetFree(open, guard.targetOf(monitorId))
  }

  #isTargetFree(open: OpenAction, target: string): boolean {
    if (this.#busyTargets.has(target)) {
      open.heldBy = 'target_busy'
      const waiting = this.#behindTarget.get(target)
      if (waiting === undefined) this.#behindTarget.set(target, [open])
      else waiting.push(open)
      return false
    }
    this.#busyTargets.add(target)
    this.#running.set(open, target)
    return true
  }
}

const budgetWindowMs = 60_000

/** At most so many starts in any minute, counted from each start and not by calendar minutes. */
class RecoveryBudget {
  limit: number
  /** In ascending order. */
  #starts: Instant[] = []

  constructor(limit: number) {
    this.limit = limit
  }

  spend(at: Instant): void {
    this.#starts.push(at)
  }

  /** The clock was set, and all instants with it. */
  move(stepMs: number): void {
    this.#starts = this.#starts.map((at) => at + stepMs)
  }

  /** When the next one may start; now, if one may. */
  freeAt(now: Instant): Instant {
    while (this.#starts.length > 0 && this.#starts[0]! <= now - budgetWindowMs) this.#starts.shift()
    const over = this.#starts.length - this.limit
    return over < 0 ? now : this.#starts[over]! + budgetWindowMs
  }
}
