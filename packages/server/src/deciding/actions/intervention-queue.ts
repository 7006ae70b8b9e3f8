// deciding/actions/intervention-queue.ts: all queued interventions. The budget limits how many start per minute, and
// interventions on one recovery target run one at a time. An intervention whose ancestor is in trouble is rechecked every
// second. Interventions that wait for the budget stay in the heap, so a call costs what it starts, not what waits.
import type { Instant } from '../health/health.ts'
import type { HoldReason, OpenAction } from './monitor-actions.ts'
import { isQueued, WaitingActions } from './waiting-actions.ts'

/** What the ledger cannot look up. */
export interface InterventionGuard {
  /** Set if an ancestor is in trouble or the monitor is in maintenance: it must not be recovered now. */
  holdOf(monitorId: string): 'ancestor' | 'maintenance' | null
  /** Interventions with the same target do not run at the same time. */
  targetOf(monitorId: string): string
}

/** The queue is not notified when an ancestor recovers, so it polls. */
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

  /** The previous process started it and it still runs: no other intervention may act on its target. */
  resumed(open: OpenAction, target: string): void {
    this.#busyTargets.add(target)
    this.#running.set(open, target)
  }

  /** The action itself has already been cancelled. */
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

  /** The clock was set. Open actions have already moved; cancelled ones have not and must be removed. */
  move(stepMs: number): void {
    this.budget.move(stepMs)
    this.#waiting.sweep()
  }

  nextStartAt(now: Instant): Instant | null {
    const { first } = this.#waiting
    return first === undefined ? null : Math.max(first.dueAt, this.budget.freeAt(now))
  }

  /** How many are held back only by the budget. */
  heldByBudget(now: Instant): number {
    if (this.budget.freeAt(now) <= now) return 0
    let held = 0
    for (const open of this.#waiting.values()) if (isQueued(open) && open.dueAt <= now) held++
    return held
  }

  /**
   * Releases all interventions behind the target, not only the first: the first may be held by something else and never
   * run, and then nothing would release the others. So an intervention never waits for a target that is free.
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

/** Limits the starts in any minute, counted from each start rather than by calendar minutes. */
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

  /** The clock was set: moves all instants. */
  move(stepMs: number): void {
    this.#starts = this.#starts.map((at) => at + stepMs)
  }

  /** When the next intervention may start; `now` if one may start at once. */
  freeAt(now: Instant): Instant {
    while (this.#starts.length > 0 && this.#starts[0]! <= now - budgetWindowMs) this.#starts.shift()
    const over = this.#starts.length - this.limit
    return over < 0 ? now : this.#starts[over]! + budgetWindowMs
  }
}
