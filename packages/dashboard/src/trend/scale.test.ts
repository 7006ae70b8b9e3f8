import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { availabilityFloor, failureDepth } from './scale.ts'

describe('the axis of availability', () => {
  it.each([
    [[100, 100], 99],
    [[99.95, null], 99],
    [[99, 100], 90],
    [[92], 90],
    [[90], 50],
    [[50], 0],
    [[0, 100], 0],
    [[], 99],
    [[null], 99],
  ])('of %j begins at %i', (percents, floor) => {
    expect(availabilityFloor(percents)).toBe(floor)
  })

  it('leaves room under every value but zero', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1 }), (percents) => {
        const floor = availabilityFloor(percents)
        const lowest = Math.min(...percents)
        expect(floor === 0 || lowest > floor).toBe(true)
      }),
    )
  })
})

describe('failures', () => {
  it('are drawn only where something failed, and never as nothing where nothing is known', () => {
    expect(failureDepth([100, null, 50, 0], 0)).toEqual([null, null, 50, 0])
  })

  it('are seen, however few they are', () => {
    expect(failureDepth([99.999_9], 0)).toEqual([97.5])
    expect(failureDepth([99.999_9], 99)).toEqual([99.975])
  })
})
