// locations/place-vote.ts: votes of single places, from what a probe reports and from why none did.
import {
  notMade,
  outcomeStatuses,
  outcomeStatusMask,
  type ResultNote,
} from '../checking/probe/probe-protocol.ts'
import type { Vote } from './vote.ts'

/** A vote on its way to the ballot of its row. */
export interface PlaceVote {
  readonly row: number
  readonly generation: number
  /** By the clock of the service. */
  readonly startedMs: number
  readonly vote: Vote
}

/** outcome: as in a batch of results. */
export function voteOf(
  location: string,
  outcome: number,
  latencyMs: number,
  note: Omit<ResultNote, 'position'> | null,
): Vote {
  return {
    location,
    status: outcomeStatuses[outcome & outcomeStatusMask]!,
    isNotMade: (outcome & notMade) !== 0,
    latencyMs,
    reason: note?.reason ?? null,
    warning: note?.warning ?? null,
    certificateExpiresAt: note?.certificateExpiresAt ?? null,
  }
}

/** The reason is why nothing can be said about the target. */
export function missingVote(location: string, reason: string): Vote {
  return {
    location,
    status: 'no_data',
    isNotMade: true,
    latencyMs: 0,
    reason,
    warning: null,
    certificateExpiresAt: null,
  }
}
