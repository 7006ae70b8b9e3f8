// simulation/model/destination-model.ts: behaviour.md §4, the state of a destination by its answers: well,
// limited at its own request, ailing after three failed deliveries, dead. If several calls were in flight at
// once, only bounds are known.
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { Instant } from './monitor-state.ts'

const failuresToAil = 3
const firstProbeMs = 16_000
const longestProbeMs = 300_000
const longestWishMs = 3_600_000

export interface ModelDestination {
  /** Version of its configuration; with another one the state starts anew. */
  readonly version: number
  readonly isDead: boolean
  readonly isAiling: boolean
  /** Meaningless while it is well. */
  readonly ailingSince: Instant
  /** Consecutive failed deliveries. */
  readonly failures: number
  /** Something was delivered in this process. */
  readonly isProven: boolean
  /** The last wait before a probe; 0 before the first. Lost answers do not change it. */
  readonly probeMs: number
  /** Nothing starts before this; afterwards something does, if there is anything to send. */
  readonly notBefore: Instant
  readonly atLatest: Instant
  /** The part of `notBefore` that the next process knows: a wait requested during a probe is not stored. */
  readonly keptNotBefore: Instant
  /** When its last digest was queued. If a clock was set before a restart, it may be as late as `lastDigestBy`. */
  readonly lastDigestAt: Instant
  readonly lastDigestBy: Instant
  /** The clock was set since this process started. */
  readonly isMoved: boolean
}

export function freshDestination(version: number): ModelDestination {
  const well = { isDead: false, isAiling: false, failures: 0, isProven: false, probeMs: 0 }
  const waits = { ailingSince: 0, notBefore: 0, keptNotBefore: 0, atLatest: 0 }
  return { version, ...well, ...waits, lastDigestAt: 0, lastDigestBy: 0, isMoved: false }
}

/** A call has ended. A probe is one that started while the destination was ailing. */
export function afterAnswer(
  before: ModelDestination,
  answer: ActionOutcome,
  at: Instant,
  isProbe: boolean,
): ModelDestination {
  if (answer.kind === 'accepted')
    return {
      ...freshDestination(before.version),
      isDead: before.isDead,
      isProven: true,
      lastDigestAt: before.lastDigestAt,
      lastDigestBy: before.lastDigestBy,
      isMoved: before.isMoved,
    }
  if (answer.kind === 'gone') return { ...before, isDead: true }
  const failures = before.failures + 1
  const isAiling = before.isAiling || failures >= failuresToAil
  const ailingSince = before.isAiling ? before.ailingSince : at
  const wishMs =
    answer.kind === 'retry' && answer.retryAfterMs !== null
      ? Math.min(longestWishMs, answer.retryAfterMs)
      : null
  if (!isAiling || answer.kind === 'unknown') {
    const until = wishMs === null ? before.notBefore : Math.max(before.notBefore, at + wishMs)
    return {
      ...before,
      failures,
      isAiling,
      ailingSince,
      notBefore: until,
      atLatest: Math.max(before.atLatest, until, isAiling ? at : 0),
    }
  }
  const isNews = isProbe || !before.isAiling
  const nextProbeMs = Math.min(longestProbeMs, Math.max(firstProbeMs, before.probeMs * 2))
  const probeMs = isNews ? nextProbeMs : before.probeMs
  const leastMs = wishMs ?? (isNews ? probeMs : 0)
  const notBefore = Math.max(before.notBefore, at + leastMs)
  return {
    ...before,
    failures,
    isAiling,
    ailingSince,
    probeMs,
    notBefore,
    keptNotBefore: isNews ? notBefore : before.keptNotBefore,
    atLatest: Math.max(before.atLatest, at + Math.max(longestProbeMs, wishMs ?? 0)),
  }
}

/**
 * The next process knows a requested wait only from the actions that wait for it, and rejections only while
 * they are stored. Instants of a clock that was ahead may be moved back to the start of the process; then it
 * is not known how long the destination is left alone.
 */
export function restartedDestination(destination: ModelDestination, now: Instant): ModelDestination {
  const { isAiling, ailingSince, failures, keptNotBefore, atLatest, lastDigestAt, isMoved } = destination
  const isKnown = isAiling && ailingSince <= now && keptNotBefore <= now + longestProbeWaitMs
  return {
    ...destination,
    isProven: false,
    failures: isAiling ? failures : 0,
    ailingSince: Math.min(ailingSince, now),
    notBefore: isKnown ? keptNotBefore - timeOffMs : 0,
    keptNotBefore: isKnown ? keptNotBefore - timeOffMs : 0,
    atLatest: Math.min(atLatest, now + longestWaitMs),
    lastDigestAt: Math.min(lastDigestAt, now),
    lastDigestBy: isMoved && lastDigestAt > 0 ? now : Math.min(destination.lastDigestBy, now),
    isMoved: false,
  }
}

/** Service time may differ this much from the wall clock, which the next process starts with. */
const timeOffMs = 1_100
const longestProbeWaitMs = 300_000
const longestWaitMs = 3_600_000

export function movedDestination(destination: ModelDestination, stepMs: number): ModelDestination {
  const { ailingSince, notBefore, keptNotBefore, atLatest, lastDigestAt, lastDigestBy } = destination
  return {
    ...destination,
    ailingSince: ailingSince + stepMs,
    notBefore: notBefore + stepMs,
    keptNotBefore: keptNotBefore + stepMs,
    atLatest: atLatest + stepMs,
    lastDigestAt: lastDigestAt + stepMs,
    lastDigestBy: lastDigestBy + stepMs,
    isMoved: true,
  }
}
