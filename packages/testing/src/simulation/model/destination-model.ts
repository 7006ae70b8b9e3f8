// simulation/model/destination-model.ts: behaviour.md §4, how a destination is by its answers: well, limited by its own
// wish, ailing after three that did not arrive, dead. Where several were in flight at once only bounds are known.
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { Instant } from './monitor-state.ts'

const failuresToAil = 3
const firstProbeMs = 16_000
const longestProbeMs = 300_000
const longestWishMs = 3_600_000

export interface ModelDestination {
  /** Of its configuration; another one is a new beginning. */
  readonly version: number
  readonly isDead: boolean
  readonly isAiling: boolean
  /** Of no meaning while it is well. */
  readonly ailingSince: Instant
  /** In a row that did not arrive. */
  readonly failures: number
  /** Something was delivered in this life of the service. */
  readonly isProven: boolean
  /** The last wait before a probe; 0 before the first, and lost answers bring none. */
  readonly probeMs: number
  /** Nothing starts before; something does after, if anything is to be sent. */
  readonly notBefore: Instant
  readonly atLatest: Instant
  /** What of the first the next process knows too: a wish beside a probe is not kept. */
  readonly keptNotBefore: Instant
  /** When its last digest was queued; where a clock was set before a restart, perhaps as late as the other. */
  readonly lastDigestAt: Instant
  readonly lastDigestBy: Instant
  /** The clock was set since this life of the service began. */
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
 * What a provider asked for is known to the next process only by what waits for it, and rejections only by what is kept
 * for a while. Instants of a clock that was ahead may be brought back to the start of the process: how long it was to be
 * left alone is not known then.
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

/** The time of the service may be so far off the wall clock, which the next process begins with. */
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
