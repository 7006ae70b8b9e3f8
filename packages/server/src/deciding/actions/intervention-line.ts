// deciding/actions/intervention-line.ts: the line of all recovery actions. At most the budget starts in a minute and one at a
// time for one recovery target; one whose ancestor is in trouble waits and is asked about again. What waits for the
// budget stays in line, so that a call costs what it starts and not what waits.
import type { Instant } from '../health/health.ts'
import { DueHeap } from './due-heap.ts'
import type { Hold, Line } from './monitor-book.ts'
import { RecoveryBudget } from './recovery-budget.ts'

/** What the ledger may not look up itself. */
export interface InterventionGuard {
  /** An ancestor is in trouble, or the monitor is in maintenance: it must not be recovered now. */
  holdOf(monitorId: string): 'ancestor' | 'maintenance' | null
  /** Interventions with the same target do not run at the same time. */
  targetOf(monitorId: string): string
}

/** Nobody tells when an ancestor is well again. */
const askAgainMs = 1000

/** Cancelled lines stay in the heap until their turn comes, or until they are more than the rest and than this. */
const sweptFrom = 1024

/** Bounds a call when thousands stand behind one ancestor. */
const examinedAtMost = 256

export class InterventionLine {
  readonly budget: RecoveryBudget
  readonly #line = new DueHeap<Line>()
  readonly #aside = new Set<Line>()
  readonly #running = new Map<Line, string>()
  readonly #busyTargets = new Set<string>()
  readonly #behindTarget = new Map<string, Line[]>()
  #queued = 0

  constructor(startsPerMinute: number) {
    this.budget = new RecoveryBudget(startsPerMinute)
  }

  get queued(): number {
    return this.#queued
  }

  add(line: Line): void {
    this.#queued++
    this.#line.add(line)
  }

  /** The line was cancelled: its action says so already. */
  cancelled(line: Line): void {
    this.#queued--
    this.#aside.delete(line)
    if (this.#line.size > sweptFrom + 2 * this.#queued) this.#line.keep(isQueued)
  }

  takeStartable(
    now: Instant,
    holdOf: (line: Line) => Hold | null,
    guard: InterventionGuard,
  ): Line | undefined {
    for (let examined = 0; examined < examinedAtMost && this.budget.freeAt(now) <= now; examined++) {
      const line = this.#line.first
      if (line === undefined || line.dueAt > now) return undefined
      this.#line.take()
      if (isQueued(line) && this.#mayStart(line, now, holdOf, guard)) {
        this.budget.spend(now)
        this.#queued--
        return line
      }
    }
    return undefined
  }

  release(line: Line): void {
    if (!this.#aside.delete(line)) return
    line.hold = null
    this.#line.add(line)
  }

  ended(line: Line): void {
    const target = this.#running.get(line)
    if (target === undefined) return
    this.#running.delete(line)
    this.#busyTargets.delete(target)
    this.#releaseBehind(target)
  }

  /** The clock was set; the actions have moved already, except cancelled ones. */
  move(stepMs: number): void {
    this.budget.move(stepMs)
    this.#line.keep(isQueued)
  }

  nextStartAt(now: Instant): Instant | null {
    const first = this.#line.first
    return first === undefined ? null : Math.max(first.dueAt, this.budget.freeAt(now))
  }

  /** Those that only the budget keeps from starting. */
  heldByBudget(now: Instant): number {
    if (this.budget.freeAt(now) <= now) return 0
    let held = 0
    for (const line of this.#line.values()) if (isQueued(line) && line.dueAt <= now) held++
    return held
  }

  /**
   * All of them, not only the first: that one may be held by something else and never run, and then nobody would wake
   * the rest. Nothing ever waits for a target that is free.
   */
  #releaseBehind(target: string): void {
    const waiting = this.#behindTarget.get(target) ?? []
    this.#behindTarget.delete(target)
    for (const line of waiting) {
      if (!isQueued(line)) continue
      line.hold = null
      this.#line.add(line)
    }
  }

  #mayStart(
    line: Line,
    now: Instant,
    holdOf: (line: Line) => Hold | null,
    guard: InterventionGuard,
  ): boolean {
    line.hold = holdOf(line)
    if (line.hold !== null) {
      this.#aside.add(line)
      return false
    }
    line.hold = guard.holdOf(line.book.monitorId!)
    if (line.hold !== null) {
      line.dueAt = now + askAgainMs
      this.#line.add(line)
      return false
    }
    return this.#isTargetFree(line, guard.targetOf(line.book.monitorId!))
  }

  #isTargetFree(line: Line, target: string): boolean {
    if (this.#busyTargets.has(target)) {
      line.hold = 'target_busy'
      const waiting = this.#behindTarget.get(target)
      if (waiting === undefined) this.#behindTarget.set(target, [line])
      else waiting.push(line)
      return false
    }
    this.#busyTargets.add(target)
    this.#running.set(line, target)
    return true
  }
}

function isQueued(line: Line): boolean {
  return line.action.state === 'queued'
}
