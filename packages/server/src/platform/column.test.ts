import { describe, expect, it } from 'vitest'
import { addTo, grown, newColumn } from './column.ts'

describe('a grown column', () => {
  it('keeps its elements and its kind, and fills the new ones', () => {
    expect(grown(Int32Array.of(7, 8), 4, -1)).toEqual(Int32Array.of(7, 8, -1, -1))
    expect(grown(Float64Array.of(0.5), 2)).toEqual(Float64Array.of(0.5, 0))
  })

  it('is the same column while it has the room', () => {
    const column = Uint8Array.of(1, 2)
    expect(grown(column, 2)).toBe(column)
    expect(grown(column, 1)).toBe(column)
  })
})

it('grows in place when it is large, and is moved when it is small', () => {
  const large = newColumn(Uint32Array, 10_000).fill(7)
  const small = newColumn(Uint32Array, 10).fill(7)
  expect(grown(large, 20_000).buffer).toBe(large.buffer)
  expect(grown(small, 20).buffer).not.toBe(small.buffer)
  expect([...grown(small, 12)]).toEqual([7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0])
})

it('adds to one counter and leaves the others', () => {
  const counters = Uint32Array.of(1, 2, 3)
  addTo(counters, 1, 1)
  addTo(counters, 2, -1)
  expect(counters).toEqual(Uint32Array.of(1, 3, 2))
})
