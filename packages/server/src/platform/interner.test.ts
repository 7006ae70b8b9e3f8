import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Interner } from './interner.ts'

describe('an interner', () => {
  it('gives equal keys the same number, others another, and keeps each value once', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 })), (keys) => {
        const interner = new Interner<string>()
        const numbers = keys.map((key) => interner.intern(key, () => `value of ${key}`))
        expect(interner.values).toEqual([...new Set(keys)].map((key) => `value of ${key}`))
        keys.forEach((key, index) => {
          expect(interner.values[numbers[index]!]).toBe(`value of ${key}`)
        })
      }),
    )
  })

  it('makes a value only for a new key', () => {
    const interner = new Interner<string>()
    interner.intern('a', () => 'first')
    const number = interner.intern('a', () => {
      throw new Error('made again')
    })
    expect(interner.values[number]).toBe('first')
  })
})
