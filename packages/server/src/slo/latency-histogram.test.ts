import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BINS, binOf, percentileMs, upperBoundMs } from './latency-histogram.ts'

function histogramOf(latenciesMs: readonly number[]): Float64Array {
  const counts = new Float64Array(BINS)
  for (const ms of latenciesMs) counts[binOf(ms)]! += 1
  return counts
}

describe('binOf', () => {
  it('keeps every latency from 0.1 ms to 10 minutes below its bound, and within 6.3 % of it', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 600_000, noNaN: true }), (ms) => {
        const boundMs = upperBoundMs(binOf(ms))
        expect(boundMs).toBeGreaterThan(ms)
        expect(boundMs).toBeLessThanOrEqual(ms * 1.0625)
      }),
    )
  })

  it('numbers the bins without a hole', () => {
    for (let bin = 0; bin < BINS - 1; bin++) {
      expect(binOf(upperBoundMs(bin))).toBe(bin + 1)
      expect(upperBoundMs(bin + 1) / upperBoundMs(bin)).toBeLessThanOrEqual(1.0625)
    }
  })

  it.each([0, -0, -5, Number.NaN, Number.NEGATIVE_INFINITY, 1e-300, 0.06])(
    'counts %d as the shortest',
    (ms) => {
      expect(binOf(ms)).toBe(0)
    },
  )

  it.each([2 ** 20, 1e12, Number.POSITIVE_INFINITY])('counts %d as the longest', (ms) => {
    expect(binOf(ms)).toBe(BINS - 1)
  })
})

describe('percentileMs', () => {
  it('has no value without samples', () => {
    expect(percentileMs(new Float64Array(BINS), 50, 0)).toBeNull()
  })

  it.each([
    ['one sample', [40], 99, 40],
    ['the lower of two', [10, 1_000], 50, 10],
    ['99 of 100', [...Array<number>(99).fill(10), 1_000], 99, 10],
    ['98 of 100', [...Array<number>(98).fill(10), 1_000, 1_000], 99, 1_000],
  ])('is the bound above the nearest rank: %s', (_what, latenciesMs, percent, exactMs) => {
    const boundMs = percentileMs(histogramOf(latenciesMs), percent, latenciesMs.length)
    expect(boundMs).toBe(upperBoundMs(binOf(exactMs)))
  })
})
