// locations/place-results.ts: what each place said of a monitor last, for people who look at it and to compare places. In
// memory only; for monitors that are checked at other places.
import type { Instant } from '../deciding/health/health.ts'
import type { PlaceFinding } from '../engine/source.ts'
import type { Vote } from './vote.ts'

interface Kept {
  /** The row may belong to another monitor by now. */
  readonly identity: number
  readonly at: Instant
  readonly votes: readonly Vote[]
}

export class PlaceResults {
  readonly #kept = new Map<number, Kept>()

  /** All votes of a closed ballot. identity: the hash of the monitor. */
  keep(row: number, identity: number, at: Instant, votes: readonly Vote[]): void {
    this.#kept.set(row, { identity, at, votes })
  }

  /** Null if the monitor was not checked there since the process started. */
  of(row: number, identity: number, location: string): PlaceFinding | null {
    const kept = this.#kept.get(row)
    if (kept?.identity !== identity) return null
    const vote = kept.votes.find((one) => one.location === location)
    return vote === undefined ? null : findingOf(kept.at, vote)
  }

  /** To be called when the fleet has changed: `has` says whether the row is still checked at other places. */
  drop(has: (row: number) => boolean): void {
    for (const row of this.#kept.keys()) if (!has(row)) this.#kept.delete(row)
  }
}

function findingOf(at: Instant, { status, isNotMade, latencyMs, reason, warning }: Vote): PlaceFinding {
  return {
    at,
    outcome: isNotMade ? 'own_fault' : status,
    latencyMs: status === 'no_data' ? null : latencyMs,
    reason: reason ?? warning,
  }
}
