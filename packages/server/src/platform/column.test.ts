import { describe, expect, it } from 'vitest'
import { addTo, copyWritten, grown, newColumn, put } from './column.ts'

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

describe('what was never written', () => {
  /** A column that tells where it is written. */
  function watched(length: number) {
    const column = newColumn(Uint32Array, length)
    const writes: number[] = []
    column.set = (part: ArrayLike<number>, from = 0) => {
      writes.push(from)
      Uint32Array.prototype.set.call(column, part, from)
    }
    return { column, writes }
  }

  it('is copied without being written, whatever kind it is copied from', () => {
    for (const kind of [Uint8Array, Uint16Array, Uint32Array]) {
      const from = new kind(5_000)
      from[2_048] = 7
      from[4_999] = 9
      const { column, writes } = watched(5_000)
      copyWritten(from, column)
      expect(writes).toEqual([2_048, 4_096])
      expect([...column]).toEqual([...from])
    }
  })

  it('is given a number only where another one stands', () => {
    const writes: string[] = []
    const column = new Uint32Array(3)
    const watchedColumn = new Proxy(column, {
      set: (target, row, value) => writes.push(String(row)) > 0 && Reflect.set(target, row, value),
    })
    put(watchedColumn, 0, 0)
    put(watchedColumn, 1, 7)
    put(watchedColumn, 1, 7)
    put(watchedColumn, 1, 0)
    expect(writes).toEqual(['1', '1'])
    expect([...column]).toEqual([0, 0, 0])
  })
})
