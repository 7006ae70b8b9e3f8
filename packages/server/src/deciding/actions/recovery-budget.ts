// deciding/actions/recovery-budget.ts: how many interventions the service may still start: at most so many in any minute,
// counted by when each was started and not by calendar minutes.
import type { Instant } from '../health/health.ts'

export const budgetWindowMs = 60_000

export class RecoveryBudget {
  limit: number
  /** Ascending. */
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
