import { describe, expect, it } from 'vitest'
import { CoverageGaps } from './coverage-gaps.ts'

function gapsOf(...times: readonly (readonly [number, number | null])[]): CoverageGaps {
  const gaps = new CoverageGaps()
  for (const [startMs, endMs] of times) {
    gaps.begin(startMs)
    if (endMs !== null) gaps.end(endMs)
  }
  return gaps
}

describe('CoverageGaps', () => {
  it('has none at first, and ending what did not begin makes none', () => {
    const gaps = new CoverageGaps()
    gaps.end(5)
    expect(gaps.isOpen).toBe(false)
    expect(gaps.spanSince(0)).toBeNull()
  })

  it('has no end while it lasts, and begins only once', () => {
    const gaps = gapsOf([10_000, null], [12_000, null])
    expect(gaps.isOpen).toBe(true)
    expect(gaps.spanSince(0)).toEqual({ startMs: 10_000, endMs: null })
    gaps.end(20_000)
    expect(gaps.isOpen).toBe(false)
    expect(gaps.spanSince(0)).toEqual({ startMs: 10_000, endMs: 20_000 })
  })

  it('spans several gaps until the first has left', () => {
    const gaps = gapsOf([10_000, 20_000], [60_000, 61_000])
    expect(gaps.spanSince(20_000)).toEqual({ startMs: 10_000, endMs: 61_000 })
    expect(gaps.spanSince(20_001)).toEqual({ startMs: 60_000, endMs: 61_000 })
    expect(gaps.spanSince(61_001)).toBeNull()
  })

  it('keeps an open gap however old it is', () => {
    expect(gapsOf([10_000, null]).spanSince(1e9)).toEqual({ startMs: 10_000, endMs: null })
  })

  it('takes gaps less than a bucket apart for one, so that flapping stays bounded', () => {
    const gaps = new CoverageGaps()
    for (let atMs = 0; atMs < 3_600_000; atMs += 1_000) {
      gaps.begin(atMs)
      gaps.end(atMs + 500)
    }
    expect(gaps.toPairs(0)).toEqual(Float64Array.of(0, 3_599_500))
  })

  it('forgets gaps that left the window, though nobody reads', () => {
    const gaps = new CoverageGaps()
    for (let atMs = 0; atMs < 3_600_000; atMs += 10_000) {
      gaps.begin(atMs)
      gaps.end(atMs)
    }
    expect(gaps.toPairs(0).length).toBeLessThanOrEqual(2 * 31)
  })

  it('never ends before it began', () => {
    expect(gapsOf([10_000, 9_000]).spanSince(0)).toEqual({ startMs: 10_000, endMs: 10_000 })
  })

  it.each([
    ['closed', gapsOf([10_000, 20_000], [60_000, 61_000])],
    ['open', gapsOf([10_000, 20_000], [60_000, null])],
  ])('comes back from its pairs on another clock: %s', (_state, gaps) => {
    const restored = CoverageGaps.fromPairs(gaps.toPairs(1e12), -1e12)
    expect(restored.isOpen).toBe(gaps.isOpen)
    expect(restored.toPairs(0)).toEqual(gaps.toPairs(0))
  })
})
