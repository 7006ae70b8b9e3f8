import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { it } from 'vitest'
import { survivesJson } from './laws.fixture.ts'

function isSameAgain(value: unknown): boolean {
  const text = JSON.stringify(value)
  return text !== undefined && isDeepStrictEqual(JSON.parse(text), value)
}

it('knows without trying which values are the same again after JSON', () => {
  const withEverything = {
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  }
  const values = fc.oneof(fc.jsonValue(), fc.anything(withEverything))
  fc.assert(
    fc.property(values, (value) => survivesJson(value) === isSameAgain(value)),
    { numRuns: 1_000 },
  )
})
