// deciding/actions/waiting-actions.ts: the queued actions of one queue, in the order in which they are due. One that is
// held back is set aside and blocks nothing. A cancelled one stays in the heap until it is reached, so whoever takes an
// action looks at its state; they are swept out when there are too many.

import { DueHeap } from '../../platform/due-heap.ts'
import type { Instant } from '../health/health.ts'
import type { OpenAction } from './monitor-actions.ts'

/** Cancelled actions are swept out when they outnumber the rest by more than this. */
const sweptFrom = 1024

export class WaitingActions {
  readonly #due = new DueHeap<OpenAction>()
  readonly #held = new Set<OpenAction>()
  #count = 0

  /** Queued, held back or not. */
  get count(): number {
    return this.#count
  }

  /** The next one that is due; it may be cancelled. */
  get first(): OpenAction | undefined {
    return this.#due.first
  }

  /** All that are not held back, in no order; some may be cancelled. */
  values(): Iterable<OpenAction> {
    return this.#due.values()
  }

  add(open: OpenAction): void {
    this.#count++
    this.#due.add(open)
  }

  /** Its action is cancelled already. */
  cancelled(open: OpenAction): void {
    this.#count--
    this.#held.delete(open)
    if (this.#due.size > sweptFrom + 2 * this.#count) this.sweep()
  }

  /** It was taken, and is in flight. */
  started(): void {
    this.#count--
  }

  takeDue(now: Instant): OpenAction | undefined {
    const { first } = this.#due
    return first === undefined || first.dueAt > now ? undefined : this.#due.take()
  }

  /** Whichever comes first, due or not, held back or not. */
  takeAny(): OpenAction | undefined {
    const [held] = this.#held
    const open = this.#due.take() ?? held
    if (open !== undefined) this.#held.delete(open)
    return open
  }

  /** It was taken, and waits for its time again. */
  putBack(open: OpenAction): void {
    this.#due.add(open)
  }

  /** It was taken, and may not start until it is released. */
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
