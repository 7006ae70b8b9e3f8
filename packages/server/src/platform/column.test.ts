import { describe, expect, it } from 'vitest'
import { addTo, grown } from './column.ts'

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

it('adds to one counter and leaves the others', () => {
  const counters = Uint32Array.of(1, 2, 3)
  addTo(counters, 1, 1)
  addTo(counters, 2, -1)
  expect(counters).toEqual(Uint32Array.of(1, 3, 2))
})
