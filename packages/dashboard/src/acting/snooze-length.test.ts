import { describe, expect, it } from 'vitest'
import { durationText, snoozeMs } from './snooze-length.ts'

const nowMs = new Date(2030, 2, 30, 14, 30, 12).getTime()
const custom = (amount: string, unit: 'm' | 'h' | 'd') => ({ choice: 'custom', amount, unit }) as const

describe('the length of a snooze', () => {
  it('until tomorrow at nine is counted from the time of the service', () => {
    const ms = snoozeMs({ choice: 'tomorrow', amount: '', unit: 'h' }, nowMs)
    expect(new Date(nowMs + (ms ?? 0))).toEqual(new Date(2030, 2, 31, 9))
  })

  it('until tomorrow passes the end of a month and of a year', () => {
    const newYearsEve = new Date(2030, 11, 31, 23, 59, 59).getTime()
    const ms = snoozeMs({ choice: 'tomorrow', amount: '', unit: 'h' }, newYearsEve)
    expect(new Date(newYearsEve + (ms ?? 0))).toEqual(new Date(2031, 0, 1, 9))
  })

  it.each([
    ['90', 'm', 90 * 60_000],
    [' 2 ', 'd', 2 * 86_400_000],
    ['30', 'd', 30 * 86_400_000],
    ['31', 'd', null],
    ['721', 'h', null],
    ['0', 'm', null],
    ['-1', 'h', null],
    ['1.5', 'h', null],
    ['1e3', 'm', null],
    ['', 'h', null],
    ['٣', 'h', null],
  ] as const)('of %s %s is %s', (amount, unit, ms) => {
    expect(snoozeMs(custom(amount, unit), nowMs)).toBe(ms)
  })

  it('is written in whole seconds, of which there is at least one', () => {
    expect([3_600_000, 1_499, 3].map(durationText)).toEqual(['3600s', '1s', '1s'])
  })
})
