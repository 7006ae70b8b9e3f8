// When a component is in maintenance, and what is announced of it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inAll, maintenanceOf, type Span } from './planned-maintenance.ts'

const span = (fromMs: number, untilMs: number): Span => ({ fromMs, untilMs })

describe('the windows of a component', () => {
  it('are the times that its monitors have in common', () => {
    expect(inAll([[span(0, 10), span(20, 30)], [span(5, 25)]])).toEqual([span(5, 10), span(20, 25)])
    expect(inAll([[span(0, 10)], []])).toEqual([])
    expect(inAll([[span(0, 10)]])).toEqual([span(0, 10)])
    expect(inAll([])).toEqual([])
  })

  it('cover exactly the moments in which every monitor is in a window', () => {
    const spans = fc
      .uniqueArray(fc.nat(60), { minLength: 0, maxLength: 8 })
      .map((times) => times.sort((a, b) => a - b))
      .map((times) =>
        times.flatMap((from, index) => (index % 2 === 0 ? [span(from, times[index + 1] ?? 70)] : [])),
      )
    fc.assert(
      fc.property(fc.array(spans, { minLength: 1, maxLength: 4 }), (lists) => {
        const found = inAll(lists)
        const isIn = (some: readonly Span[], at: number) =>
          some.some((one) => one.fromMs <= at && at < one.untilMs)
        for (let at = 0; at < 70; at++) expect(isIn(found, at)).toBe(lists.every((list) => isIn(list, at)))
      }),
    )
  })
})

describe('what is announced', () => {
  it('names components of the same window together, in order of time', () => {
    const spans = new Map([
      ['b', [span(50, 60), span(10, 20)]],
      ['a', [span(50, 60)]],
    ])
    const found = maintenanceOf('shop', spans, 15)
    expect(found).toMatchObject([
      { fromMs: 10, untilMs: 20, componentIds: ['b'] },
      { fromMs: 50, untilMs: 60, componentIds: ['b', 'a'] },
    ])
    expect(new Set(found.map(({ id }) => id)).size).toBe(2)
    expect(maintenanceOf('shop', spans, 16)).toEqual(found)
    expect(maintenanceOf('other', spans, 15)[0]!.id).not.toBe(found[0]!.id)
  })

  it('is bounded, and what comes next is never dropped for what comes later', () => {
    const nightly = Array.from({ length: 500 }, (_, night) => span(night * 10, night * 10 + 5))
    const found = maintenanceOf('shop', new Map([['a', nightly]]), 2_000)
    expect(found).toHaveLength(100)
    expect(found[0]!.untilMs).toBe(1_805)
    expect(found.at(-1)!.fromMs).toBe(2_790)
  })
})
