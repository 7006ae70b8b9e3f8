import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { availabilityPercent, countedIn, gapsIn, gridOf } from './grid.ts'
import { dayMs, generatedMs, timeOf, trendWith } from './trend.fixture.ts'

describe('a trend on its grid', () => {
  it.each([
    ['24h', 288],
    ['7d', 168],
    ['30d', 720],
    ['90d', 90],
  ] as const)('has every cell of %s, %i, up to the present one', (window, count) => {
    const { slots, fromMs, toMs, cellMs } = gridOf(trendWith([], {}, window))
    expect(slots).toHaveLength(count)
    expect([slots[0]?.fromMs, slots.at(-1)?.toMs]).toEqual([fromMs, toMs])
    expect(toMs - fromMs).toBe(count * cellMs)
    expect(generatedMs >= toMs - cellMs && generatedMs < toMs).toBe(true)
  })

  it('keeps what was not counted as a gap, not as zero', () => {
    const grid = gridOf(trendWith([{ ago: 0 }, { ago: 2, samples: 4, healthy: 0, p50_ms: null }]))
    expect(grid.slots.slice(-4).map(({ cell }) => cell?.samples ?? null)).toEqual([null, 4, null, 10])
    expect(grid.slots.slice(-4).map(({ cell }) => availabilityPercent(cell))).toEqual([null, 0, null, 100])
    expect(countedIn(grid)).toEqual({ samples: 14, healthy: 10 })
  })

  it('counts gaps without the present cell, which may just have begun', () => {
    const all = Array.from({ length: 287 }, (_, index) => ({ ago: index + 1 }))
    expect(gapsIn(gridOf(trendWith(all)))).toBe(0)
    expect(gapsIn(gridOf(trendWith(all.slice(1))))).toBe(1)
  })

  it('has cells of an hour for a day where trends are light', () => {
    const { slots } = gridOf(trendWith([{ ago: 23 }], { cell_seconds: 3_600 }))
    expect([slots.length, slots[0]?.cell?.samples]).toEqual([24, 10])
  })

  it('leaves out cells that are not of its window, as after a clock was set back', () => {
    const late = timeOf(generatedMs + dayMs)
    const trend = trendWith([{ ago: 1 }])
    const cells = [...trend.cells, { at: late, samples: 1, healthy: 1, p50_ms: 1, p95_ms: 1 }]
    expect(countedIn(gridOf({ ...trend, cells })).samples).toBe(10)
  })

  it('holds each cell of the wire exactly once, in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 287 })), (agos) => {
        const trend = trendWith(agos.map((ago) => ({ ago })))
        const kept = gridOf(trend).slots.flatMap(({ cell, fromMs }) =>
          cell === null ? [] : [[cell.at, timeOf(fromMs)]],
        )
        expect(kept).toEqual(trend.cells.map(({ at }) => [at, at]))
      }),
    )
  })
})
