// simulation/agenda.ts: the planned events of the world, ordered by time.
import { DueHeap } from '@pulseward/server/internal/platform/due-heap.ts'

interface Happening {
  readonly dueAt: number
  readonly sequence: number
  readonly happen: () => void
}

export class Agenda {
  readonly #heap = new DueHeap<Happening>()
  #sequence = 0

  /** Whole milliseconds, so that sums with wall clock times are exact. */
  at(trueMs: number, happen: () => void): void {
    this.#heap.add({ dueAt: Math.round(trueMs), sequence: this.#sequence++, happen })
  }

  get nextAtMs(): number {
    return this.#heap.first?.dueAt ?? Number.POSITIVE_INFINITY
  }

  /** Runs everything that is due, including what that adds for the same moment. */
  runUpTo(trueMs: number): void {
    while (this.nextAtMs <= trueMs) this.#heap.take()!.happen()
  }
}
