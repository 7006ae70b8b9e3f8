// simulation/agenda.ts: what is going to happen in the world, in the order of its time.
import { DueHeap } from '@pulseward/server/internal/platform/due-heap.ts'

interface Happening {
  readonly dueAt: number
  readonly sequence: number
  readonly happen: () => void
}

export class Agenda {
  readonly #heap = new DueHeap<Happening>()
  #sequence = 0

  /** Whole milliseconds: what people compute with wall clocks is then exact. */
  at(trueMs: number, happen: () => void): void {
    this.#heap.add({ dueAt: Math.round(trueMs), sequence: this.#sequence++, happen })
  }

  get nextAtMs(): number {
    return this.#heap.first?.dueAt ?? Number.POSITIVE_INFINITY
  }

  /** Everything whose time has come, also what that brings for the same moment. */
  runUpTo(trueMs: number): void {
    while (this.nextAtMs <= trueMs) this.#heap.take()!.happen()
  }
}
