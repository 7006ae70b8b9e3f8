import { describe, expect, it } from 'vitest'
import { exactTime, shortTime, withLocalTimes } from './local-time.ts'

describe('the exact local time', () => {
  it.each([
    ['2026-11-16T13:03:05.999Z', 'Europe/Berlin', '2026-11-16 14:03:05 +01:00'],
    ['2026-07-16T13:03:05.000Z', 'Europe/Berlin', '2026-07-16 15:03:05 +02:00'],
    ['2026-12-31T23:30:00.000Z', 'Asia/Kolkata', '2027-01-01 05:00:00 +05:30'],
    ['2026-01-01T04:30:00.000Z', 'America/New_York', '2025-12-31 23:30:00 -05:00'],
    ['2026-01-01T00:00:00.000Z', 'UTC', '2026-01-01 00:00:00 UTC'],
    ['2026-01-01T00:00:00.000Z', 'Europe/London', '2026-01-01 00:00:00 UTC'],
    ['2026-07-01T00:00:00.000Z', 'Europe/London', '2026-07-01 01:00:00 +01:00'],
  ])('of %s in %s is %s', (at, timeZone, shown) => {
    expect(exactTime(at, timeZone)).toBe(shown)
  })
})

describe('the short local time', () => {
  const now = Date.parse('2026-03-01T09:30:05.000Z')

  it.each([
    ['of today has no date', '2026-03-01T08:00:59.999Z', 'Europe/Berlin', '09:00:59'],
    ['of today may be to come', '2026-03-01T22:59:59.000Z', 'Europe/Berlin', '23:59:59'],
    ['of tomorrow in this zone has a date', '2026-03-01T23:30:00.000Z', 'Europe/Berlin', '2 Mar 00:30'],
    [
      'of the same instant elsewhere may be of today',
      '2026-03-01T14:30:00.000Z',
      'America/New_York',
      '09:30:00',
    ],
    ['of this year has no year', '2026-11-16T13:03:05.000Z', 'Europe/Berlin', '16 Nov 14:03'],
    ['of another year has it', '2025-12-31T22:30:00.000Z', 'Europe/Berlin', '31 Dec 2025 23:30'],
    [
      'of the turn of the year is that of the zone',
      '2025-12-31T23:30:00.000Z',
      'Europe/Berlin',
      '1 Jan 00:30',
    ],
  ])('%s', (_, at, timeZone, shown) => {
    expect(shortTime(at, timeZone, now)).toBe(shown)
  })

  it('of what is not a time is that text', () => {
    expect([exactTime('soon', 'UTC'), shortTime('soon', 'UTC', now)]).toEqual(['soon', 'soon'])
  })
})

it('replaces the times in a sentence, and leaves one that stands alone', () => {
  const at = '2026-03-01T09:30:05.000Z'
  expect(withLocalTimes(`snoozed until ${at}; then checked`, 'Europe/Berlin')).toBe(
    'snoozed until 2026-03-01 10:30:05 +01:00; then checked',
  )
  expect(withLocalTimes(at, 'Europe/Berlin')).toBe(at)
})
