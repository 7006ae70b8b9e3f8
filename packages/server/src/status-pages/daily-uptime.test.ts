// Bars and uptime: what is not known is neither healthy nor failed.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DailySamples, daysOf, shownDays, uptimeOf } from './daily-uptime.ts'

it('weighs monitors by their samples, and leaves days without samples open', () => {
  const samples = new DailySamples()
  samples.add(shownDays - 1, 10, 10)
  samples.add(shownDays - 1, 90, 0)
  samples.add(0, 100, 100)
  const days = daysOf(samples)
  expect(days).toHaveLength(90)
  expect(days.at(-1)).toBe(0.1)
  expect(days[0]).toBe(1)
  expect(days.slice(1, -1).every((share) => share === null)).toBe(true)
  expect(uptimeOf(samples)).toBe(0.55)
  expect(uptimeOf(new DailySamples())).toBeNull()
})

it('ignores days that are not shown', () => {
  const samples = new DailySamples()
  samples.add(-1, 5, 5)
  samples.add(shownDays, 5, 5)
  expect(uptimeOf(samples)).toBeNull()
})

it('is the same however the samples are divided among monitors', () => {
  const day = fc.record({ day: fc.nat(shownDays - 1), samples: fc.nat(1000), healthy: fc.nat(1000) })
  fc.assert(
    fc.property(fc.array(day), fc.nat(), (cells, seed) => {
      const right = cells.map((cell) => ({ ...cell, healthy: Math.min(cell.healthy, cell.samples) }))
      const one = new DailySamples()
      const parts = [new DailySamples(), new DailySamples()]
      for (const [index, { day, samples, healthy }] of right.entries()) {
        one.add(day, samples, healthy)
        parts[(index + seed) % 2]!.add(day, samples, healthy)
      }
      const sum = new DailySamples()
      for (const part of parts) sum.addAll(part)
      expect(daysOf(sum)).toEqual(daysOf(one))
      expect(uptimeOf(sum)).toEqual(uptimeOf(one))
    }),
  )
})
