import { expect, it } from 'vitest'
import { condense, sparkPath } from './spark-path.ts'

const frame = { width: 100, height: 40, points: 10 }
const range = { least: 0, most: 10 }

it('draws from the first value to the last, higher values higher', () => {
  expect(sparkPath([0, 10], range, frame)).toBe('M0.0 40.0L100.0 0.0')
})

it('breaks the line where a value is missing', () => {
  expect(sparkPath([5, null, 5, 5], range, frame)).toBe('M0.0 20.0M66.7 20.0L100.0 20.0')
})

it('averages what does not fit and keeps gaps as gaps', () => {
  expect(condense([1, 3, null, null, 5, null], 3)).toEqual([2, null, 5])
})

it('draws a flat range without dividing by nothing', () => {
  expect(sparkPath([3], { least: 3, most: 3 }, frame)).toBe('M0.0 40.0')
})
