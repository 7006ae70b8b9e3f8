import { describe, expect, it } from 'vitest'
import { localTime, withLocalTimes } from './local-time.ts'

describe('the local time', () => {
  it.each([
    ['2026-11-16T13:03:05.999Z', 'Europe/Berlin', '2026-11-16 14:03:05 +01:00'],
    ['2026-07-16T13:03:05.000Z', 'Europe/Berlin', '2026-07-16 15:03:05 +02:00'],
    ['2026-12-31T23:30:00.000Z', 'Asia/Kolkata', '2027-01-01 05:00:00 +05:30'],
    ['2026-01-01T04:30:00.000Z', 'America/New_York', '2025-12-31 23:30:00 -05:00'],
    ['2026-01-01T00:00:00.000Z', 'UTC', '2026-01-01 00:00:00 UTC'],
    ['2026-01-01T00:00:00.000Z', 'Europe/London', '2026-01-01 00:00:00 UTC'],
    ['2026-07-01T00:00:00.000Z', 'Europe/London', '2026-07-01 01:00:00 +01:00'],
  ])('of %s in %s is %s', (at, timeZone, shown) => {
    expect(localTime(at, timeZone)).toBe(shown)
  })

  it('of what is not a time is that text', () => {
    expect(localTime('soon', 'UTC')).toBe('soon')
  })
})

it('replaces the times in a sentence, and leaves one that stands alone', () => {
  const at = '2026-03-01T09:30:05.000Z'
  expect(withLocalTimes(`snoozed until ${at}; then checked`, 'Europe/Berlin')).toBe(
    'snoozed until 2026-03-01 10:30:05 +01:00; then checked',
  )
  expect(withLocalTimes(at, 'Europe/Berlin')).toBe(at)
})
