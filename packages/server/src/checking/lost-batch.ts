// checking/lost-batch.ts: results for checks that their source has lost, for example because a probe thread
// ended: nothing can be said about their targets.
import type { ChecksInFlight } from './checks-in-flight.ts'
import { outcomeStatuses, type ResultBatch } from './probe/probe-protocol.ts'

export function lostBatch(
  checks: ChecksInFlight,
  rows: Uint32Array,
  reason: string,
  nowMs: number,
): ResultBatch {
  const count = rows.length
  const places = Uint32Array.from(rows, (row) => checks.placeOf(row))
  return {
    rows,
    generations: places.map((place) => checks.generation[place]!),
    outcomes: new Uint8Array(count).fill(outcomeStatuses.indexOf('no_data')),
    startedMs: Float64Array.from(places, (place) => checks.startedMs[place]!),
    finishedMs: new Float64Array(count).fill(nowMs),
    latencyMs: new Float32Array(count),
    notes: Array.from({ length: count }, (_, position) => ({
      position,
      reason,
      warning: null,
      certificateExpiresAt: null,
    })),
  }
}
