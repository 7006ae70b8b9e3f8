// store/retention-clock.ts: how far back history is kept, by a clock that may be wrong. A clock that is suddenly more
// than a day ahead (a service that was off for long, or a wrong date) makes nothing old for a day: time enough to see it
// and to set it right. The store keeps this with its commits, so a restart does not cut that day short. What is kept for
// minutes only has a rule of its own, with minutes in place of the day.
import type { Instant } from '../deciding/health/health.ts'
import { retentionMs, type StoreBounds } from './retention.ts'

const dayMs = 24 * 3_600_000

export interface RetentionClock {
  /** What the clock said when it was last looked at, which is at every commit; null before the first. */
  readonly seenAt: Instant | null
  /** Nothing is forgotten until then; null for no such wait. */
  readonly keepsUntil: Instant | null
}

export interface ClockRule {
  readonly keepMs: number
  /** A clock that is further ahead than that since it was last looked at may be wrong. */
  readonly leapMs: number
  /** For so long nothing is forgotten after a leap. */
  readonly waitMs: number
}

export const historyRule: ClockRule = { keepMs: retentionMs, leapMs: dayMs, waitMs: dayMs }

/** Longer than the store ever goes without looking at the clock, since it looks whenever it forgets (retention.ts). */
const pastLeapMs = 2 * 60_000

export function pastRule({ pastMs }: StoreBounds): ClockRule {
  return { keepMs: pastMs, leapMs: pastLeapMs, waitMs: pastMs }
}

export const newRetentionClock: RetentionClock = { seenAt: null, keepsUntil: null }

/** The clock as it is after it was looked at. */
export function lookAtClock(
  { seenAt, keepsUntil }: RetentionClock,
  now: Instant,
  { leapMs, waitMs } = historyRule,
): RetentionClock {
  if (seenAt !== null && now - seenAt > leapMs) return { seenAt: now, keepsUntil: now + waitMs }
  // A wait that a clock set back would make longer than that was for a date that was wrong.
  const waits = keepsUntil !== null && now < keepsUntil && now >= keepsUntil - waitMs
  return { seenAt: now, keepsUntil: waits ? keepsUntil : null }
}

/** What happened before this instant may be forgotten; null while nothing may. */
export function forgetBefore(clock: RetentionClock, now: Instant, rule = historyRule): Instant | null {
  return lookAtClock(clock, now, rule).keepsUntil === null ? now - rule.keepMs : null
}
