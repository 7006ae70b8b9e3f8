import { describe, expect, it } from 'vitest'
import { didYouMean, editDistance, nearestName } from './nearest-name.ts'

describe('the nearest name', () => {
  const keys = ['interval', 'timeout', 'unhealthy_threshold', 'healthy_threshold', 'retries', 'config']

  it.each([
    ['intervall', 'interval'],
    ['inetrval', 'interval'],
    ['unhealthyThreshold', 'unhealthy_threshold'],
    ['UNHEALTHY-THRESHOLD', 'unhealthy_threshold'],
    ['timout', 'timeout'],
    ['retry', null],
    ['zzzzzz', null],
    ['', null],
  ])('for %j is %j', (wrong, right) => {
    expect(nearestName(wrong, keys)).toBe(right)
  })

  it('counts a swap of neighbours as one edit', () => {
    expect(editDistance('ab', 'ba', 3)).toBe(1)
    expect(editDistance('kitten', 'sitting', 5)).toBe(3)
  })

  it('gives up beyond its bound', () => {
    expect(editDistance('aaaaaaaa', 'bbbbbbbb', 2)).toBe(3)
  })

  it('says nothing when nothing is near', () => {
    expect(didYouMean('zzzzzz', keys)).toBe('')
    expect(didYouMean('confg', keys)).toBe(' Did you mean "config"?')
  })
})
