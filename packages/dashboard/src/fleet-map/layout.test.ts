import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellBox, gridFor, groupAt, groupOf, layOut } from './layout.ts'
import { treemap } from './treemap.ts'

const fleets = fc.array(
  fc.record({ tag: fc.string({ maxLength: 6 }), count: fc.integer({ min: 0, max: 80 }) }),
  {
    minLength: 1,
    maxLength: 12,
  },
)

describe('the treemap', () => {
  it('fills the whole with areas in the proportion of the weights', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 30 }), (weights) => {
        const total = weights.reduce((sum, weight) => sum + weight, 0)
        for (const [index, box] of treemap(weights, { x: 0, y: 0, width: 900, height: 330 }).entries()) {
          expect(box.width * box.height).toBeCloseTo((weights[index]! / total) * 900 * 330, 3)
          expect(box.x).toBeGreaterThanOrEqual(-1e-6)
          expect(box.y).toBeGreaterThanOrEqual(-1e-6)
          expect(box.x + box.width).toBeLessThanOrEqual(900 + 1e-6)
          expect(box.y + box.height).toBeLessThanOrEqual(330 + 1e-6)
        }
      }),
    )
  })
})

describe('the layout', () => {
  it('gives every monitor a cell within the box of its tag, and finds it there again', () => {
    fc.assert(
      fc.property(fleets, (tags) => {
        const layout = layOut(tags, 900, 330)
        const monitors = tags.reduce((sum, { count }) => sum + count, 0)
        for (let index = 0; index < monitors; index++) {
          const group = groupOf(layout, index)
          expect(index).toBeGreaterThanOrEqual(group.first)
          expect(index).toBeLessThan(group.first + group.count)
          const box = cellBox(group, index)
          expect(box.x + box.width).toBeLessThanOrEqual(group.x + group.width + 1e-6)
          expect(box.y + box.height).toBeLessThanOrEqual(group.y + group.height + 1e-6)
          expect(groupAt(layout, box.x + box.width / 2, box.y + box.height / 2)).toBe(group)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('leaves a tag without monitors away', () => {
    const tags = [
      { tag: 'a', count: 0 },
      { tag: 'b', count: 3 },
    ]
    expect(layOut(tags, 100, 100).groups.map(({ tag, first }) => [tag, first])).toEqual([['b', 0]])
  })

  it('bears having no room', () => {
    expect(layOut([{ tag: 'a', count: 5 }], 0, 300).groups).toEqual([])
  })
})

describe('a grid', () => {
  it('holds as many cells as it must', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 20, max: 900 }), (count, width) => {
        const { columns, cell } = gridFor(count, width, 200)
        expect(columns * cell).toBeLessThanOrEqual(width + 1e-6)
        expect(Math.ceil(count / columns) * cell).toBeLessThanOrEqual(200 + 1e-6)
        expect(cell).toBeGreaterThan(0)
      }),
    )
  })
})
