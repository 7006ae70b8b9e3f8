import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fewestServers, type Load, meanWaitMs } from './queueing-theory.ts'

function random(offeredLoad: number, serviceMs: number): Load {
  return { offeredLoad, serviceMs, arrivalCv: 1, serviceCv: 1 }
}

const load = fc.record({
  offeredLoad: fc.double({ min: 0.001, max: 2_000, noNaN: true }),
  serviceMs: fc.double({ min: 0.1, max: 20_000, noNaN: true }),
  arrivalCv: fc.double({ min: 0, max: 15, noNaN: true }),
  serviceCv: fc.double({ min: 0, max: 15, noNaN: true }),
})

describe('meanWaitMs', () => {
  it('agrees with the closed form of a single server', () => {
    // M/M/1: utilization ÷ (1 − utilization) × service time.
    expect(meanWaitMs(random(0.8, 100), 1)).toBeCloseTo((0.8 / 0.2) * 100, 9)
  })

  it('agrees with Erlang C in sums and factorials where those still work', () => {
    for (const [servers, offered] of [
      [2, 1.5],
      [5, 4],
      [20, 18],
      [100, 90],
    ] as const) {
      let term = 1
      let sum = 1
      for (let count = 1; count < servers; count++) sum += term *= offered / count
      const last = ((term * offered) / servers) * (servers / (servers - offered))
      const waitProbability = last / (sum + last)
      expect(meanWaitMs(random(offered, 100), servers)).toBeCloseTo(
        (waitProbability * 100) / (servers - offered),
        9,
      )
    }
  })

  it('halves for services that never vary, and vanishes when arrivals do not vary either', () => {
    const base = random(9, 100)
    expect(meanWaitMs({ ...base, serviceCv: 0 }, 10)).toBeCloseTo(meanWaitMs(base, 10) / 2, 9)
    expect(meanWaitMs({ ...base, serviceCv: 0, arrivalCv: 0 }, 10)).toBe(0)
  })

  it('is infinite when the servers cannot keep up', () => {
    expect(meanWaitMs(random(10, 100), 10)).toBe(Number.POSITIVE_INFINITY)
  })

  it('stays finite for thousands of servers', () => {
    expect(meanWaitMs(random(16_000, 1_000), 16_384)).toBeLessThan(1)
    expect(meanWaitMs(random(0.5, 1_000), 16_384)).toBe(0)
  })
})

describe('fewestServers', () => {
  it('meets the target, and one server less does not', () => {
    fc.assert(
      fc.property(load, fc.double({ min: 1, max: 5_000, noNaN: true }), (load, targetMs) => {
        const servers = fewestServers(load, targetMs, 16_384)
        if (servers === null) return expect(meanWaitMs(load, 16_384)).toBeGreaterThan(targetMs)
        expect(servers).toBeGreaterThan(load.offeredLoad)
        expect(meanWaitMs(load, servers)).toBeLessThanOrEqual(targetMs)
        if (servers > 1) expect(meanWaitMs(load, servers - 1)).toBeGreaterThan(targetMs)
      }),
    )
  })

  it('is null when more would be needed than are allowed', () => {
    expect(fewestServers(random(100, 50), 250, 100)).toBeNull()
    expect(fewestServers(random(100, 50), 250, 101)).toBe(101)
  })
})
