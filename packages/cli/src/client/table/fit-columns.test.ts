import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ColumnNeed, fitColumns, gap } from './fit-columns.ts'

const need = (natural: number, minimum = natural, dispensable = 0): ColumnNeed => ({
  natural,
  minimum,
  dispensable,
})

const needs = fc.array(
  fc
    .record({
      natural: fc.integer({ min: 1, max: 80 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      dispensable: fc.nat(5),
    })
    .map(({ natural, share, dispensable }) =>
      need(natural, Math.max(1, Math.ceil(natural * share)), dispensable),
    ),
  { minLength: 1, maxLength: 12 },
)

describe('columns', () => {
  it('keep their widths where nothing bounds a line', () => {
    expect(fitColumns([need(200), need(3)], null)).toEqual([200, 3])
  })

  it('give way where they are widest, and not below their minimum', () => {
    expect(fitColumns([need(10), need(40, 5), need(20, 5)], 54)).toEqual([10, 20, 20])
    expect(fitColumns([need(10), need(40, 30), need(20, 5)], 54)).toEqual([10, 30, 10])
  })

  it('are left out only when all others are at their minimum, the least important first', () => {
    expect(fitColumns([need(10), need(20, 10, 1), need(20, 10, 2)], 34)).toEqual([10, 10, 10])
    expect(fitColumns([need(10), need(20, 10, 1), need(20, 10, 2)], 33)).toEqual([10, 20, null])
    expect(fitColumns([need(10), need(20, 20, 1), need(20, 20, 1)], 40)).toEqual([10, 20, null])
  })

  it('that are narrower stay where a more important one does not fit', () => {
    expect(fitColumns([need(10), need(36, 36, 1), need(20, 12, 2)], 30)).toEqual([10, null, 18])
  })

  it('without any value go first, unless everything fits', () => {
    const columns = [need(10), need(20, 10), { ...need(5, 5, 1), isEmpty: true }, need(8, 8, 2)]
    expect(fitColumns(columns, 49)).toEqual([10, 20, 5, 8])
    expect(fitColumns(columns, 48)).toEqual([10, 20, null, 8])
  })

  it('are never wider than the terminal', () => {
    fc.assert(
      fc.property(needs, fc.integer({ min: 1, max: 200 }), (columns, available) => {
        const widths = fitColumns(columns, available)
        const shown = widths.filter((width) => width !== null)
        expect(shown.length).toBeGreaterThan(0)
        expect(shown.reduce((sum, width) => sum + width, 0) + gap * (shown.length - 1)).toBeLessThanOrEqual(
          available,
        )
        if (shown.length === 1) return
        for (const [index, width] of widths.entries())
          if (width !== null) expect(width).toBeGreaterThanOrEqual(columns[index]!.minimum)
      }),
    )
  })

  it('that are indispensable stay when they fit', () => {
    fc.assert(
      fc.property(needs, fc.integer({ min: 1, max: 200 }), (columns, available) => {
        const needed = columns.filter(({ dispensable }) => dispensable === 0)
        const least = needed.reduce((sum, { minimum }) => sum + minimum, 0) + gap * (needed.length - 1)
        fc.pre(needed.length > 0 && least <= available)
        for (const [index, width] of fitColumns(columns, available).entries())
          if (columns[index]!.dispensable === 0) expect(width).not.toBeNull()
      }),
    )
  })
})
