import { describe, expect, it } from 'vitest'
import { isSameJson, type Json } from './json.ts'

const values: readonly Json[] = [
  null,
  false,
  0,
  1,
  '',
  'a',
  [],
  [1],
  [1, 2],
  [2, 1],
  [[1], 2],
  {},
  { a: 1 },
  { a: 1, b: 2 },
  { a: { b: [1] } },
  { b: 1 },
  JSON.parse('{"__proto__":1}'),
  { constructor: 1 },
  { length: 0 },
]

describe('JSON', () => {
  it('is the same as itself, and as no other', () => {
    for (const [index, one] of values.entries())
      for (const [place, other] of values.entries())
        expect(isSameJson(one, structuredClone(other)), `${JSON.stringify([one, other])}`).toBe(
          index === place,
        )
  })

  it('is the same whatever the order of members is', () => {
    expect(isSameJson({ a: 1, b: { c: 2, d: [] } }, { b: { d: [], c: 2 }, a: 1 })).toBe(true)
  })

  it('that is not there is the same as nothing but that', () => {
    expect([isSameJson(undefined, undefined), isSameJson(undefined, null)]).toEqual([true, false])
  })
})
