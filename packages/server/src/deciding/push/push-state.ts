// deciding/push/push-state.ts: what is known about a job that reports by itself, besides its monitor's health.
import type { Instant } from '../health/health.ts'

/**
 * new: it has not reported yet. waiting: the next signal is not due. late: it is due, and its grace is not over.
 * missed: the grace passed, and nothing came since.
 */
export const pushPhases = ['new', 'waiting', 'late', 'missed'] as const
export type PushPhase = (typeof pushPhases)[number]

export const signalKinds = ['success', 'fail', 'start', 'log'] as const
export type SignalKind = (typeof signalKinds)[number]

export interface PushState {
  readonly phase: PushPhase
  /** When a signal is expected; null if none is, because nothing came yet. */
  readonly dueAt: Instant | null
  /** The due before it; null before the second. */
  readonly lastDueAt: Instant | null
  readonly lastSignalAt: Instant | null
  readonly lastKind: SignalKind | null
  /** The last thing that was said about the job is a failure: it reported one, or it was silent. */
  readonly hasFailed: boolean
  /** When each open run started, by its id; '' for the run without one. Oldest first. */
  readonly runs: ReadonlyMap<string, Instant>
}

export const noRuns: ReadonlyMap<string, Instant> = new Map()

/** More runs than this are not followed: the oldest is forgotten. */
export const mostRuns = 16

/** No run is longer: what ends after this time has no latency. */
export const longestRunMs = 72 * 3_600_000

/** A process whose clock was ahead stored what has not happened yet. */
export function isAhead({ lastSignalAt, runs }: PushState, now: Instant): boolean {
  return (lastSignalAt ?? now) > now || runs.values().some((startedAt) => startedAt > now)
}

export const neverSeen: PushState = {
  phase: 'new',
  dueAt: null,
  lastDueAt: null,
  lastSignalAt: null,
  lastKind: null,
  hasFailed: false,
  runs: noRuns,
}
