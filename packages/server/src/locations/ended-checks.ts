// locations/ended-checks.ts: outcomes of checks at other locations, collected to a batch as the engine takes them. The times
// are those of this service: a probe only says how long its check took.
import {
  notMade,
  outcomeStatuses,
  type ResultBatch,
  type ResultNote,
} from '../checking/probe/probe-protocol.ts'

export interface EndedCheck {
  readonly location: string
  readonly row: number
  readonly generation: number
  readonly startedMs: number
  readonly finishedMs: number
  /** As in a batch of results. */
  readonly outcome: number
  readonly latencyMs: number
  readonly note: Omit<ResultNote, 'position'> | null
}

const couldNotBeMade = outcomeStatuses.indexOf('no_data') | notMade

/** The reason is why nothing can be said about the target. */
export function withoutData(
  { row, generation, offeredMs }: { row: number; generation: number; offeredMs: number },
  { location, nowMs, reason }: { location: string; nowMs: number; reason: string },
): EndedCheck {
  return {
    location,
    row,
    generation,
    startedMs: offeredMs,
    finishedMs: nowMs,
    outcome: couldNotBeMade,
    latencyMs: 0,
    note: { reason, warning: null, certificateExpiresAt: null },
  }
}

export function batchOf(ended: readonly EndedCheck[]): ResultBatch {
  return {
    rows: Uint32Array.from(ended, ({ row }) => row),
    generations: Uint32Array.from(ended, ({ generation }) => generation),
    outcomes: Uint8Array.from(ended, ({ outcome }) => outcome),
    startedMs: Float64Array.from(ended, ({ startedMs }) => startedMs),
    finishedMs: Float64Array.from(ended, ({ finishedMs }) => finishedMs),
    latencyMs: Float32Array.from(ended, ({ latencyMs }) => latencyMs),
    notes: ended.flatMap(({ note }, position) => (note === null ? [] : [{ position, ...note }])),
  }
}
