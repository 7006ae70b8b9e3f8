import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Tail } from './tail.ts'

describe('the end of an output', () => {
  it('is the last bytes of it, in whatever pieces it comes', () => {
    const pieces = fc.array(fc.string({ maxLength: 40, unit: fc.constantFrom('a', 'b', '\n') }), {
      maxLength: 80,
    })
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 50 }), (texts, most) => {
        const tail = new Tail(most)
        for (const text of texts) tail.add(Buffer.from(text))
        expect(tail.bytes().toString()).toBe(texts.join('').slice(-most))
      }),
    )
  })

  it('begins with a whole character', () => {
    const tail = new Tail(5)
    tail.add(Buffer.from('€€'))
    expect(tail.bytes().toString()).toBe('€')
  })
})
