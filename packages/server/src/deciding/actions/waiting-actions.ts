// deciding/actions/waiting-actions.ts: the queued actions of one queue, ordered by due time. Actions that are held back
// are set aside and block nothing. A cancelled action stays in the heap until it is reached, so the caller has to check
// the state of an action it takes. When too many cancelled ones pile up they are swept out.

import { DueHeap } from '../../platform/due-heap.ts'
import type { Instant } from '../health/health.ts'
import type { OpenAction } from './monitor-actions.ts'

/** Cancelled actions are swept out when they outnumber the rest by more than this. */
const sweptFrom = 1024

export class WaitingActions {
  readonly #due = new DueHeap<OpenAction>()
  readonly #held = new Set<OpenAction>()
  #count = 0

  /** All queued actions, held back or not. */
  get count(): number {
    return this.#count
  }

  /** The next one that is due. It may be cancelled. */
  get first(): OpenAction | undefined {
    return this.#due.first
  }

  /** All that are not held back, unordered. Some may be cancelled. */
  values(): Iterable<OpenAction> {
    return this.#due.values()
  }

  add(open: OpenAction): void {
    this.#count++
    this.#due.add(open)
  }

  /** The action itself has already been cancelled. */
  cancelled(open: OpenAction): void {
    this.#count--
    this.#held.delete(open)
    if (this.#due.size > sweptFrom + 2 * this.#count) this.sweep()
  }

  /** The action that was taken is now in flight. */
  started(): void {
    this.#count--
  }

  takeDue(now: Instant): OpenAction | undefined {
    const { first } = this.#due
    return first === undefined || first.dueAt > now ? undefined : this.#due.take()
  }

  /** Takes any queued action, due or not, held back or not. */
  takeAny(): OpenAction | undefined {
    const [held] = this.#held
    const open = this.#due.take() ?? held
    if (open !== undefined) this.#held.delete(open)
    return open
  }

  /** Returns an action that was taken, to wait until it is due. */
  putBack(open: OpenAction): void {
    this.#due.add(open)
  }

  /** Sets aside an action that was taken; it may not start until it is released. */
  hold(open: OpenAction): void {
    this.#held.add(open)
  }

  release(open: OpenAction): void {
    if (!this.#held.delete(open)) return
    open.heldBy = null
    this.#due.add(open)
  }

  sweep(): void {
    this.#due.keep(isQueued)
  }
}

export function isQueued(open: OpenAction): boolean {
  return open.action.state === 'queued'
}
