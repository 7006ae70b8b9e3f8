import { describe, expect, it } from 'vitest'
import { retentionMs } from './retention.ts'
import { forgetBefore, lookAtClock, newRetentionClock } from './retention-clock.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2026, 0, 1)

/** Looks at each of these times, in order. */
const seen = (...times: number[]) => times.reduce(lookAtClock, newRetentionClock)
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
