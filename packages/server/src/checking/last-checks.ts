// checking/last-checks.ts: the last results of monitors that have something the matter, for people who look at one. In
// memory only and bounded: a quiet monitor has none, and in a storm only the first monitors have them.
import type { Instant, LastOutcome } from '../deciding/health/health.ts'
import { cut } from '../platform/wording.ts'

export interface LastCheck {
  readonly at: Instant
  readonly outcome: LastOutcome
  readonly latencyMs: number | null
  /** In words, without secrets. */
  readonly reason: string | null
}

interface Kept {
  /** The row may belong to another monitor by now. */
  readonly monitorId: string
  readonly checks: LastCheck[]
}

export const checksKept = 20
const monitorsKept = 1_000
const longestReason = 300

export class LastChecks {
  readonly #kept = new Map<number, Kept>()

  /** Called for every result that was decided. `isQuiet`: nothing is the matter after it. */
  note(row: number, monitorId: string, isQuiet: boolean, check: LastCheck): void {
    if (isQuiet) {
      this.#kept.delete(row)
      return
    }
    let kept = this.#kept.get(row)
    if (kept?.monitorId !== monitorId) {
      if (kept === undefined && this.#kept.size >= monitorsKept) return
      kept = { monitorId, checks: [] }
      this.#kept.set(row, kept)
    }
    const { reason } = check
    kept.checks.push({ ...check, reason: reason === null ? null : cut(reason, longestReason) })
    if (kept.checks.length > checksKept) kept.checks.shift()
  }

  /** Newest first; null if none are kept. */
  of(row: number, monitorId: string): readonly LastCheck[] | null {
    const kept = this.#kept.get(row)
    return kept?.monitorId === monitorId ? kept.checks.toReversed() : null
  }

  /** The row no longer belongs to this monitor. */
  forget(row: number): void {
    this.#kept.delete(row)
  }
}
