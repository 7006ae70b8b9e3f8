import { expect, it } from 'vitest'
import { loneValues } from './lone-values.ts'

it('finds the values that have a gap on both sides, also at the ends', () => {
  expect(loneValues([1, null, 2, 3, null, 4, undefined, 0])).toEqual([0, 5, 7])
  expect(loneValues([1, 2, 3])).toEqual([])
  expect(loneValues([])).toEqual([])
})
