import { describe, expect, it } from 'vitest'
import { asDuration, parseForeignDuration } from './durations.ts'

describe('durations of other programs', () => {
  it.each([
    ['1h30m', 5_400_000],
    ['1.5s', 1_500],
    ['250ms', 250],
    ['2d', 172_800_000],
    ['0', 0],
    ['', null],
    ['5', null],
    ['-5s', null],
    ['5s later', null],
  ])('%j are %j ms', (text, ms) => {
    expect(parseForeignDuration(text)).toBe(ms)
  })

  it('are written within what a fleet file can count', () => {
    expect([90_000, 1_500.4, 0, -1, 1e30].map(asDuration)).toEqual([
      '90s',
      '1500ms',
      '0s',
      '0s',
      '999999999s',
    ])
  })
})
