import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { selectRange } from './select-range.ts'

const ascending = (left: number, right: number) => left - right

describe('a page of a list in order', () => {
  it('is what sorting the whole list gives', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(50), { maxLength: 200 }),
        fc.nat(220),
        fc.integer({ min: 1, max: 60 }),
        (items, from, size) => {
          const page = selectRange(Uint32Array.from(items), from, from + size, ascending)
          expect([...page]).toEqual(items.toSorted(ascending).slice(from, from + size))
        },
      ),
      { numRuns: 500 },
    )
  })
})
