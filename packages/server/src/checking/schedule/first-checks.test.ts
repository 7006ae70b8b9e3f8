import { describe, expect, it } from 'vitest'
import { FirstChecks } from './first-checks.ts'

describe('first checks', () => {
  it('are made soon for at most 5,000 monitors per second, before their own time slots', () => {
    expect(new FirstChecks().grant(150_000, 0)).toBe(true)
    expect(new FirstChecks().grant(150_001, 0)).toBe(false)
  })

  it('are counted together when monitors come in many small steps', () => {
    const first = new FirstChecks()
    const granted = Array.from({ length: 400 }, (_, step) => first.grant(500, step * 50))
    expect(granted.filter((isGranted) => isGranted)).toHaveLength(300)
    expect(first.grant(500, 30_000)).toBe(true)
  })

  it('tell how many there are per second until the last of them is made', () => {
    const first = new FirstChecks()
    expect(first.perSecond(0)).toBe(0)
    first.grant(30_000, 0)
    expect(first.perSecond(29_999)).toBe(1_000)
    expect(first.perSecond(30_000)).toBe(1_000)
    expect(first.perSecond(60_000)).toBe(0)
  })
})
