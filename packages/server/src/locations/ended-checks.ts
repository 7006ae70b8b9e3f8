// locations/ended-checks.ts: closed ballots as a batch of results, which the engine takes as it takes any other. The times are
// those of this service: a probe only says how long its check took.
import { notMade, outcomeStatuses, type ResultBatch } from '../checking/probe/probe-protocol.ts'
import type { Outcome } from './vote.ts'

export interface EndedCheck {
  readonly row: number
  readonly generation: number
  readonly startedMs: number
  readonly finishedMs: number
  readonly outcome: Outcome
}

export function batchOf(ended: readonly EndedCheck[]): ResultBatch {
  return {
    rows: Uint32Array.from(ended, ({ row }) => row),
    generations: Uint32Array.from(ended, ({ generation }) => generation),
    outcomes: Uint8Array.from(ended, ({ outcome }) => bitsOf(outcome)),
    startedMs: Float64Array.from(ended, ({ startedMs }) => startedMs),
    finishedMs: Float64Array.from(ended, ({ finishedMs }) => finishedMs),
    latencyMs: Float32Array.from(ended, ({ outcome }) => outcome.latencyMs),
    notes: ended.flatMap(({ outcome: { reason, warning, certificateExpiresAt } }, position) =>
      reason === null && warning === null && certificateExpiresAt === null
        ? []
        : [{ position, reason, warning, certificateExpiresAt }],
    ),
  }
}

function bitsOf({ status, isNotMade }: Outcome): number {
  return outcomeStatuses.indexOf(status) | (isNotMade ? notMade : 0)
}
