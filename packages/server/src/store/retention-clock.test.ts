import { describe, expect, it } from 'vitest'
import { retentionMs, storeBounds } from './retention.ts'
import { forgetBefore, lookAtClock, newRetentionClock, pastRule } from './retention-clock.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2026, 0, 1)

/** Looks at each of these times, in order. */
const seen = (...times: number[]) => times.reduce((clock, now) => lookAtClock(clock, now), newRetentionClock)
const forgets = (clock: ReturnType<typeof seen>, now: number) => forgetBefore(clock, now) !== null

describe('the clock of retention', () => {
  it('forgets what is older than 30 days', () => {
    expect(forgetBefore(seen(start), start + hour)).toBe(start + hour - retentionMs)
    expect(forgetBefore(newRetentionClock, start)).toBe(start - retentionMs)
  })

  it('forgets nothing for a day after the clock was found more than a day ahead', () => {
    const ahead = start + 30 * day
    expect(forgets(seen(start), ahead)).toBe(false)
    const clock = seen(start, ahead, ahead + hour)
    expect(forgets(clock, ahead + day - 1)).toBe(false)
    expect(forgets(clock, ahead + day)).toBe(true)
  })

  it('takes a pause of a day for no leap', () => {
    expect(forgets(seen(start), start + day)).toBe(true)
  })

  it('begins the day again when the clock leaps again', () => {
    const again = start + 40 * day
    expect(forgets(seen(start, start + 30 * day, again), again + day - 1)).toBe(false)
  })

  it('does not wait on when the clock was set right', () => {
    expect(forgets(seen(start, start + 30 * day, start + hour), start + 2 * hour)).toBe(true)
  })

  it('forgets nothing for a day after a clock that was behind was set right', () => {
    expect(forgets(seen(start, 0), start)).toBe(false)
  })
})

describe('the clock of the past', () => {
  const minute = 60_000
  const rule = pastRule(storeBounds)
  const looked = (...times: number[]) =>
    times.reduce((clock, now) => lookAtClock(clock, now, rule), newRetentionClock)

  it('forgets what ended more than 6 minutes ago', () => {
    const now = start + 2 * minute
    expect(forgetBefore(looked(start), now, rule)).toBe(now - 6 * minute)
  })

  it('forgets nothing for 6 minutes after the clock was found more than 2 minutes ahead', () => {
    const ahead = start + 2 * minute + 1
    const clock = looked(start, ahead, ahead + minute)
    expect(forgetBefore(looked(start), ahead, rule)).toBeNull()
    expect(forgetBefore(clock, ahead + 3 * minute, rule)).toBeNull()
    expect(
      forgetBefore(looked(start, ahead, ahead + 2 * minute, ahead + 4 * minute), ahead + 6 * minute, rule),
    ).toBe(ahead)
  })

  it('does not wait on when the clock was set right', () => {
    expect(forgetBefore(looked(start, start + hour, start), start + minute, rule)).not.toBeNull()
  })
})
