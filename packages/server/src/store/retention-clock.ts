// store/retention-clock.ts: how far back history is kept, by a clock that may be wrong. A clock that is suddenly more
// than a day ahead (a service that was off for long, or a wrong date) makes nothing old for a day: time enough to see it
// and to set it right. The store keeps this with its commits, so a restart does not cut that day short.
import type { Instant } from '../deciding/health/health.ts'
import { retentionMs } from './retention.ts'

const leapMs = 24 * 3_600_000

export interface RetentionClock {
  /** What the clock said when it was last looked at, which is at every commit; null before the first. */
  readonly seenAt: Instant | null
  /** Nothing is forgotten until then; null for no such wait. */
  readonly keepsUntil: Instant | null
}

export const newRetentionClock: RetentionClock = { seenAt: null, keepsUntil: null }

/** The clock as it is after it was looked at. */
export function lookAtClock({ seenAt, keepsUntil }: RetentionClock, now: Instant): RetentionClock {
  if (seenAt !== null && now - seenAt > leapMs) return { seenAt: now, keepsUntil: now + leapMs }
  // A wait that a clock set back would make longer than a day was for a date that was wrong.
  const waits = keepsUntil !== null && now < keepsUntil && now >= keepsUntil - leapMs
  return { seenAt: now, keepsUntil: waits ? keepsUntil : null }
}

/** What happened before this instant may be forgotten; null while nothing may. */
export function forgetBefore(clock: RetentionClock, now: Instant): Instant | null {
  return lookAtClock(clock, now).keepsUntil === null ? now - retentionMs : null
}
