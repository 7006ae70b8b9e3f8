import { expect, it } from 'vitest'
import { daysLater, mondayOf, stretchInWords, WallClock } from './wall-clock.ts'

const berlin = WallClock.of('Europe/Berlin')!

it.each([
  ['2026-03-02T09:00', '2026-03-02T08:00:00.000Z'],
  ['2026-07-01T00:00', '2026-06-30T22:00:00.000Z'],
  // Twice, of which the first counts; and never.
  ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
])('finds the moment at which clocks show %s', (shown, instant) => {
  expect(new Date(berlin.instantOf(shown)).toISOString()).toBe(instant)
})

it('says what clocks show, also where offsets are of minutes and midnight is 00', () => {
  expect(WallClock.of('Asia/Kathmandu')!.shownAt(Date.parse('2026-03-01T18:15:40Z'))).toBe('2026-03-02T00:00')
  expect(berlin.shownAt(berlin.instantOf('2026-12-24T23:59'))).toBe('2026-12-24T23:59')
})

it('has no clock for a zone that does not exist', () => {
  expect(WallClock.of('Mars/Olympus')).toBeNull()
})

it('counts days and weeks on clocks that change', () => {
  expect(daysLater('2026-03-28T09:00', 1)).toBe('2026-03-29T09:00')
  expect(daysLater('2026-12-31T00:00', 1)).toBe('2027-01-01T00:00')
  expect(mondayOf('2026-03-29T02:30')).toBe('2026-03-23T00:00')
  expect(mondayOf('2026-03-23T00:00')).toBe('2026-03-23T00:00')
})

it('words a stretch with its days', () => {
  expect(stretchInWords('2026-03-02T09:00', '2026-03-09T09:00')).toBe('Mon 2 Mar, 09:00 – Mon 9 Mar, 09:00')
  expect(stretchInWords('2026-03-02T09:00', '2026-03-02T17:30')).toBe('Mon 2 Mar, 09:00–17:30')
})
