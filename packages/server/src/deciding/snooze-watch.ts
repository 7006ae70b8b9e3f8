// deciding/snooze-watch.ts: ends snoozes at their deadlines. People set deadlines as wall-clock times, so
// they are compared with the wall clock as it is: setting the clock, a suspend or a restart does not move
// them. One operation may snooze a million monitors until the same moment, so snoozes are ended in slices.
import { DueHeap } from '../platform/due-heap.ts'
import type { Decision } from './decision.ts'
import type { HealthTable } from './health-table.ts'
import type { Turn } from './turn.ts'

const sliceSize = 2_000

interface Deadline {
  readonly row: number
  readonly dueAt: number
  readonly sequence: number
}

export class SnoozeWatch {
  readonly #health: HealthTable
  readonly #due = new DueHeap<Deadline>()
  /** The current deadline of each monitor. Outdated ones in the heap are skipped. */
  readonly #current = new Map<number, Deadline>()
  #sequence = 0

  constructor(health: HealthTable) {
    this.#health = health
  }

  /** Restores what the previous process left. */
  restore(): void {
    for (const { row, snooze } of this.#health.snoozes()) this.#put(row, snooze.untilWallMs)
  }

  follow({ steps }: Decision): void {
    for (const { row, step } of steps) {
      const { snooze } = step.state
      if (snooze === null) this.#current.delete(row)
      else if (this.#current.get(row)?.dueAt !== snooze.untilWallMs) this.#put(row, snooze.untilWallMs)
    }
  }

  /** The monitor has left the fleet. */
  forget(row: number): void {
    this.#current.delete(row)
  }

  /** The first deadline, by the wall clock. It may be outdated. */
  get nextDeadlineMs(): number | null {
    return this.#due.first?.dueAt ?? null
  }

  /** Called on every tick. */
  advance(turn: Turn, wallMs: number): void {
    for (let left = sliceSize; left > 0; left--) {
      const { first } = this.#due
      if (first === undefined || first.dueAt > wallMs) return
      this.#due.take()
      if (this.#current.get(first.row) !== first) continue
      this.#current.delete(first.row)
      turn.decide({ kind: 'monitor', row: first.row, input: { kind: 'snooze-expired' } })
    }
  }

  #put(row: number, dueAt: number): void {
    const deadline = { row, dueAt, sequence: this.#sequence++ }
    this.#current.set(row, deadline)
    this.#due.add(deadline)
  }
}
