import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DueHeap } from './due-heap.ts'

const someItems = fc
  .array(fc.integer({ min: 0, max: 20 }))
  .map((times) => times.map((dueAt, sequence) => ({ dueAt, sequence })))

const drain = (heap: DueHeap<{ dueAt: number; sequence: number }>) => {
  const taken = []
  for (let item = heap.take(); item !== undefined; item = heap.take()) taken.push(item)
  return taken
}

describe('a heap of what is due', () => {
  it('gives back what is due first, then what came first', () => {
    fc.assert(
      fc.property(someItems, (items) => {
        const heap = new DueHeap<(typeof items)[number]>()
        for (const item of items) heap.add(item)
        expect(drain(heap)).toEqual(items.toSorted((a, b) => a.dueAt - b.dueAt || a.sequence - b.sequence))
      }),
    )
  })

  it('keeps its order when some are swept out', () => {
    fc.assert(
      fc.property(someItems, (items) => {
        const heap = new DueHeap<(typeof items)[number]>()
        for (const item of items) heap.add(item)
        heap.keep(({ sequence }) => sequence % 3 !== 0)
        const kept = items.filter(({ sequence }) => sequence % 3 !== 0)
        expect(drain(heap)).toEqual(kept.sort((a, b) => a.dueAt - b.dueAt || a.sequence - b.sequence))
      }),
    )
  })
})
