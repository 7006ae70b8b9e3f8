import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BucketWindow } from './bucket-window.ts'

const newWindow = (length = 3) => new BucketWindow({ bucketMs: 100, length, columns: 2 }, 1_000)

describe('BucketWindow', () => {
  it('has no rate before a bucket is complete', () => {
    const window = newWindow()
    window.cells[window.roll(1_050)]! += 1
    expect(window.ratePerSecond(0)).toBeNull()
    window.roll(1_100)
    expect(window.ratePerSecond(0)).toBe(10)
  })

  it('finds the bucket of a past time until the window has moved past it', () => {
    const window = newWindow()
    window.cells[window.roll(1_010) + 1] = 5
    window.roll(1_399)
    expect(window.cells[window.find(1_020) + 1]).toBe(5)
    window.roll(1_400)
    expect(window.find(1_020)).toBe(-1)
    expect(window.find(900)).toBe(-1)
    expect(window.find(1_500)).toBe(-1)
    expect(window.sum(1)).toBe(0)
  })

  it('stays where time is when an earlier time is given', () => {
    const window = newWindow()
    const cell = window.roll(1_250)
    expect(window.roll(1_050)).toBe(cell)
  })

  it('goes back from each complete bucket to the one before it, around the end of its cells', () => {
    const window = newWindow()
    for (const nowMs of [1_250, 1_350, 1_450, 1_550, 1_650]) {
      window.roll(nowMs)
      for (let age = 1; age < window.completedCount; age++)
        expect(window.before(window.completed(age - 1))).toBe(window.completed(age))
    }
  })

  it('sums what a plain list of the same events sums', () => {
    const events = fc.array(fc.record({ gapMs: fc.integer({ min: 0, max: 600 }), amount: fc.nat(9) }), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(events, (events) => {
        const window = newWindow()
        const seen: { bucket: number; amount: number }[] = []
        let nowMs = 1_000
        for (const { gapMs, amount } of events) {
          nowMs += gapMs
          window.cells[window.roll(nowMs)]! += amount
          const current = Math.floor((nowMs - 1_000) / 100)
          seen.push({ bucket: current, amount })
          const total = (buckets: typeof seen) => buckets.reduce((sum, event) => sum + event.amount, 0)
          const kept = seen.filter((event) => event.bucket >= current - 3)
          expect(window.sum(0)).toBe(total(kept))
          expect(window.completedSum(0)).toBe(total(kept.filter((event) => event.bucket < current)))
        }
      }),
    )
  })
})
