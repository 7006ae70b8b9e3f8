import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QueryPace } from './query-pace.ts'

describe('the pace of queries', () => {
  it('leaves a second between the turns of one registry, whoever asks and when', () => {
    const asks = fc.array(fc.record({ laterMs: fc.nat(3_000), mostWaitMs: fc.nat(5_000) }), { maxLength: 60 })
    fc.assert(
      fc.property(asks, (asked) => {
        const pace = new QueryPace()
        const turns: number[] = []
        let nowMs = 0
        for (const { laterMs, mostWaitMs } of asked) {
          nowMs += laterMs
          const waitMs = pace.takeTurn('https://rdap.test', nowMs, mostWaitMs)
          if (waitMs === null) continue
          expect(waitMs).toBeLessThanOrEqual(mostWaitMs)
          turns.push(nowMs + waitMs)
        }
        const gaps = turns.slice(1).map((turn, index) => turn - turns[index]!)
        expect(gaps.filter((gap) => gap < 1_000)).toEqual([])
      }),
    )
  })

  it('keeps no registry waiting for another', () => {
    const pace = new QueryPace()
    expect(pace.takeTurn('https://one.test', 0, 0)).toBe(0)
    expect(pace.takeTurn('https://two.test', 0, 0)).toBe(0)
    expect(pace.takeTurn('https://one.test', 0, 999)).toBeNull()
  })

  it('gives no turn before a pause ends, and never shortens a pause', () => {
    const pace = new QueryPace()
    pace.pause('https://one.test', 10_000)
    pace.pause('https://one.test', 5_000)
    expect(pace.takeTurn('https://one.test', 1_000, 8_999)).toBeNull()
    expect(pace.takeTurn('https://one.test', 1_000, 9_000)).toBe(9_000)
    expect(pace.pauseLeftMs('https://one.test', 4_000)).toBe(6_000)
    expect(pace.pauseLeftMs('https://one.test', 10_000)).toBe(0)
  })
})
