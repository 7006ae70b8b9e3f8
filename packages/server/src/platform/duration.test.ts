import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration } from './duration.ts'

describe('durations', () => {
  it.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['0s', 0],
    ['5', null],
    ['1.5s', null],
    ['-1s', null],
    ['1d', null],
    ['01s', null],
    [' 1s', null],
    ['9999999999s', null],
  ])('reads %j as %j', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it('reads back whatever it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (ms) => parseDuration(formatDuration(ms)) === ms),
    )
  })
})
