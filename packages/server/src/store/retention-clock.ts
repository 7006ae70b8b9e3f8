// store/retention-clock.ts: how far back history is kept, by a clock that may be wrong. If the clock suddenly jumps more
// than a day ahead (the service was off for long, or the date is wrong), nothing expires for a day, so that the operator
// can notice and correct it. The store keeps this state with its commits, so a restart does not shorten that day. Data
// that is kept only for minutes has its own rule, with minutes in place of the day.
import type { Instant } from '../deciding/health/health.ts'
import { retentionMs, type StoreBounds } from './retention.ts'

const dayMs = 24 * 3_600_000

export interface RetentionClock {
  /** The time of the last reading of the clock, taken at every commit; null before the first. */
  readonly seenAt: Instant | null
  /** Nothing is removed until then; null if there is no such wait. */
  readonly keepsUntil: Instant | null
}

export interface ClockRule {
  readonly keepMs: number
  /** If the clock has advanced further than this since the last reading, it may be wrong. */
  readonly leapMs: number
  /** How long nothing is removed after a leap. */
  readonly waitMs: number
}

export const historyRule: ClockRule = { keepMs: retentionMs, leapMs: dayMs, waitMs: dayMs }

/** Longer than the store ever goes without reading the clock, since every removal reads it (retention.ts). */
const pastLeapMs = 2 * 60_000

export function pastRule({ pastMs }: StoreBounds): ClockRule {
  return { keepMs: pastMs, leapMs: pastLeapMs, waitMs: pastMs }
}

export const newRetentionClock: RetentionClock = { seenAt: null, keepsUntil: null }

/** The state after a reading of the clock. */
export function lookAtClock(
  { seenAt, keepsUntil }: RetentionClock,
  now: Instant,
  { leapMs, waitMs } = historyRule,
): RetentionClock {
  if (seenAt !== null && now - seenAt > leapMs) return { seenAt: now, keepsUntil: now + waitMs }
  // If the clock was set back so far that the wait would exceed waitMs, the leap was to a wrong date: the wait ends.
  const waits = keepsUntil !== null && now < keepsUntil && now >= keepsUntil - waitMs
  return { seenAt: now, keepsUntil: waits ? keepsUntil : null }
}

/** What happened before this instant may be removed; null while nothing may. */
export function forgetBefore(clock: RetentionClock, now: Instant, rule = historyRule): Instant | null {
  return lookAtClock(clock, now, rule).keepsUntil === null ? now - rule.keepMs : null
}
