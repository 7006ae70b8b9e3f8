import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoundedQueue } from './bounded-queue.ts'

function drain(queue: BoundedQueue, limit: number, nowMs = 0): number[] {
  const items: number[] = []
  queue.dequeue(limit, nowMs, (item) => items.push(item) > 0)
  return items
}

describe('BoundedQueue', () => {
  it('gives items back in order, with the times they came with', () => {
    const queue = new BoundedQueue(4, 0)
    queue.enqueue(7, 100, 105)
    queue.enqueue(8, 110, 115)
    const taken: number[][] = []
    queue.dequeue(10, 200, (...item) => taken.push(item) > 0)
    expect(taken).toEqual([
      [7, 100, 105],
      [8, 110, 115],
    ])
  })

  it('refuses and counts what does not fit, and keeps what it has', () => {
    const queue = new BoundedQueue(2, 0)
    expect([1, 2, 3].map((item) => queue.enqueue(item, 0, 0))).toEqual([true, true, false])
    expect(queue.isFull).toBe(true)
    expect(queue.observe(0, 0)).toMatchObject({ depth: 2, capacity: 2, enqueued: 2, dropped: 1 })
    expect(drain(queue, 10)).toEqual([1, 2])
  })

  it('does not charge the limit for items that are no longer wanted', () => {
    const queue = new BoundedQueue(8, 0)
    for (let item = 0; item < 6; item++) queue.enqueue(item, 0, 0)
    const isWanted = (item: number) => item % 2 === 1
    expect(queue.dequeue(2, 0, isWanted)).toBe(2)
    expect(queue.depth).toBe(2)
  })

  it('comes to an end when the consumer puts every item back', () => {
    const queue = new BoundedQueue(4, 0)
    for (let item = 0; item < 4; item++) queue.enqueue(item, 0, 0)
    const accepted = queue.dequeue(4, 1, (item, scheduledMs) => {
      queue.enqueue(item, scheduledMs, 1)
      return false
    })
    expect(accepted).toBe(0)
    expect(drain(queue, 4)).toEqual([0, 1, 2, 3])
  })

  it('has lost only the item at which the consumer threw', () => {
    const queue = new BoundedQueue(4, 0)
    for (let item = 0; item < 3; item++) queue.enqueue(item, 0, 0)
    expect(() =>
      queue.dequeue(3, 0, () => {
        throw new Error('consumer')
      }),
    ).toThrow('consumer')
    expect(drain(queue, 4)).toEqual([1, 2])
  })

  it('cannot be made without room', () => {
    expect(() => new BoundedQueue(0, 0)).toThrow(RangeError)
    expect(() => new BoundedQueue(1.5, 0)).toThrow(RangeError)
  })

  it('behaves as a list with a bound, whatever comes and goes', () => {
    const command = fc.oneof(
      fc.record({ enqueue: fc.nat(1_000_000) }),
      fc.record({ take: fc.integer({ min: 0, max: 5 }) }),
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.array(command, { maxLength: 100 }),
        (capacity, commands) => {
          const queue = new BoundedQueue(capacity, 0)
          const model: number[] = []
          let dropped = 0
          for (const [nowMs, step] of commands.entries()) {
            if ('take' in step) {
              expect(drain(queue, step.take, nowMs)).toEqual(model.splice(0, step.take))
            } else if (queue.enqueue(step.enqueue, nowMs, nowMs)) model.push(step.enqueue)
            else dropped++
            expect(model.length).toBeLessThanOrEqual(capacity)
            const seen = queue.observe(nowMs, nowMs)
            expect(seen.depth).toBe(model.length)
            expect(seen.dropped).toBe(dropped)
            expect(seen.enqueued - seen.dequeued).toBe(seen.depth)
            expect(seen.oldestMs === null).toBe(seen.depth === 0)
          }
        },
      ),
    )
  })
})
