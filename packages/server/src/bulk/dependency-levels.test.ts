import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DependencyGraph } from './dependency-levels.ts'

type Edges = readonly (readonly [child: number, parent: number])[]

function levelsOf(edges: Edges) {
  const graph = new DependencyGraph()
  for (const [child, parent] of edges) graph.add(child, parent)
  return graph.levels()
}

describe('the levels of monitors that depend on each other', () => {
  it('put each behind everything that it depends on', () => {
    const { level, circles } = levelsOf([
      [0, 3],
      [3, 4],
      [1, 3],
      [1, 4],
    ])
    expect([...level]).toEqual([2, 2, 0, 1, 0])
    expect(circles).toEqual([])
  })

  it('do so in every graph without a circle', () => {
    const edges = fc.array(
      fc.tuple(fc.nat(40), fc.nat(40)).map(([a, b]) => [a + b + 1, b] as const),
      {
        maxLength: 120,
      },
    )
    fc.assert(
      fc.property(edges, (some) => {
        const { level, circles } = levelsOf(some)
        expect(circles).toEqual([])
        for (const [child, parent] of some) expect(level[child]).toBeGreaterThan(level[parent] ?? 0)
      }),
    )
  })

  it('name a circle where there is one, and only real ones', () => {
    const edges = fc.array(
      fc.tuple(fc.nat(12), fc.nat(12)).filter(([a, b]) => a !== b),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(edges, (some) => {
        const { circles } = levelsOf(some)
        expect(circles.length > 0).toBe(hasCircle(some))
        for (const circle of circles)
          for (const [index, node] of circle.entries()) {
            const parent = circle[(index + 1) % circle.length]
            expect(some.some(([child, of]) => child === node && of === parent)).toBe(true)
          }
      }),
    )
  })

  it('follow a chain of 200,000 without a stack of that depth', () => {
    const edges = Array.from({ length: 200_000 }, (_, node) => [node + 1, node] as const)
    const { level, circles } = levelsOf(edges)
    expect(level[200_000]).toBe(200_000)
    expect(circles).toEqual([])
  })
})

/** By taking away what depends on nothing, again and again. */
function hasCircle(edges: Edges): boolean {
  for (let rest = edges; ; ) {
    const left = rest.filter(([, parent]) => rest.some(([child]) => child === parent))
    if (left.length === 0) return false
    if (left.length === rest.length) return true
    rest = left
  }
}
