// pushing/early-signals.ts: recognises a job whose clock is set to another time zone than its monitor: its last
// five signals came before they were due by the same quarters of an hour.
import type { Instant } from '../deciding/health/health.ts'

const quarterMs = 15 * 60_000
const leastQuarters = 2
const mostQuarters = 48
const neededInARow = 5

export class EarlySignals {
  /** By row: by how many quarters of an hour, and how often in a row. Only rows that were early last time. */
  readonly #byRow = new Map<number, { readonly quarters: number; readonly count: number }>()

  note(row: number, dueAt: Instant | null, now: Instant): void {
    const quarters = dueAt === null ? 0 : Math.round((dueAt - now) / quarterMs)
    if (quarters < leastQuarters || quarters > mostQuarters) {
      if (this.#byRow.size > 0) this.#byRow.delete(row)
      return
    }
    const before = this.#byRow.get(row)
    this.#byRow.set(row, { quarters, count: before?.quarters === quarters ? before.count + 1 : 1 })
  }

  /** A sentence for people; null if nothing is odd. */
  hintFor(row: number): string | null {
    const early = this.#byRow.get(row)
    if (early === undefined || early.count < neededInARow) return null
    return `Consistently ${early.quarters * 15} min early: the time zone is probably wrong.`
  }

  forget(row: number): void {
    this.#byRow.delete(row)
  }
}
