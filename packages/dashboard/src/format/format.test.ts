import { describe, expect, it } from 'vitest'
import { formatBytes, formatCount, formatMeasure, plural } from './count.ts'
import { formatDuration, formatMilliseconds } from './duration.ts'
import { formatPercent } from './percent.ts'
import { formatMoment, formatStretch, formatTick, formatTime } from './time.ts'

describe('a missing figure', () => {
  it.each([formatCount, formatMeasure, formatBytes, formatDuration, formatMilliseconds, formatPercent])(
    'is a dash, never a zero: %o',
    (format) => expect(format(null)).toBe('–'),
  )
})

describe('counts', () => {
  it('are grouped, and measured numbers keep a digit while they are small', () => {
    expect(formatCount(1_000_000)).toBe('1,000,000')
    expect([0.04, 9.26, 169.8].map(formatMeasure)).toEqual(['0', '9.3', '170'])
    expect([0, 1, 2].map((count) => plural(count, 'monitor'))).toEqual([
      '0 monitors',
      '1 monitor',
      '2 monitors',
    ])
  })

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1 KB'],
    [999_600, '1 MB'],
    [212_400_000, '212 MB'],
    [83_133_243_392, '83.1 GB'],
  ])('of %i bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
})

describe('shares', () => {
  it.each([
    [100, '100 %'],
    [99.9999, '> 99.99 %'],
    [99.99, '99.99 %'],
    [0.0001, '< 0.01 %'],
    [0, '0 %'],
    [81.38847, '81.39 %'],
  ])('of %f are %s: never rounded to all or nothing', (percent, text) => {
    expect(formatPercent(percent)).toBe(text)
  })
})

describe('durations', () => {
  it.each([
    [0, '0 s'],
    [-5_000, '0 s'],
    [0.04, '< 0.1 ms'],
    [250, '250 ms'],
    [999.6, '1 s'],
    [41_000, '41 s'],
    [59_999, '1 min'],
    [252_000, '4 min 12 s'],
    [7_500_000, '2 h 5 min'],
    [86_400_000 * 3 + 4 * 3_600_000, '3 d 4 h'],
    [86_400_000, '1 d'],
  ])('of %f ms are %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

  it.each([
    [0, '0 ms'],
    [0.35, '0.3 ms'],
    [21.4, '21 ms'],
    [1_234, '1.2 s'],
    [12_345, '12 s'],
  ])('as a latency of %f ms are %s', (ms, text) => expect(formatMilliseconds(ms)).toBe(text))
})

describe('points in time', () => {
  it('say their day only when it is not today, and their year when it is not this one', () => {
    const now = new Date(2030, 5, 15, 14, 0, 0).getTime()
    expect(formatTime(new Date(2030, 5, 15, 9, 3, 2).getTime(), now)).toBe('09:03:02')
    expect(formatTime(new Date(2030, 5, 14, 9, 3, 2).getTime(), now)).toBe('14 Jun 09:03:02')
    expect(formatTime(new Date(2029, 5, 14, 9, 3, 2).getTime(), now)).toBe('14 Jun 2029 09:03:02')
  })
})

describe('stretches of time', () => {
  const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime()

  it('are a day, a part of one, or more, in the zone of the reader', () => {
    expect(formatStretch(at(2026, 2, 12), at(2026, 2, 13))).toBe('12 Mar')
    expect(formatStretch(at(2026, 2, 12, 14), at(2026, 2, 12, 14, 5))).toBe('12 Mar 14:00–14:05')
    expect(formatStretch(at(2026, 2, 12, 23), at(2026, 2, 13))).toBe('12 Mar 23:00–00:00')
    expect(formatStretch(at(2026, 2, 12, 23), at(2026, 2, 13, 23))).toBe('12 Mar 23:00 – 13 Mar 23:00')
  })

  it('are marked on an axis by days, and by hours within a day', () => {
    expect([formatTick(at(2026, 2, 12)), formatTick(at(2026, 2, 12, 6))]).toEqual(['12 Mar', '06:00'])
  })

  it('are told with their year where they are read later', () => {
    expect(formatMoment(at(2026, 2, 12, 14, 3))).toBe('12 Mar 2026 14:03:00')
  })
})
