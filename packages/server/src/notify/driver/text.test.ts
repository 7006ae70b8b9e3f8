import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cut, cutBytes, neutral, withoutMentions } from './text.ts'

const texts = fc
  .array(fc.constantFrom('a', 'é', '\u0301', '東', '🔥', '👩‍👩‍👧'), { maxLength: 60 })
  .map((characters) => characters.join(''))

describe('cut', () => {
  it('counts code points and never splits one', () => {
    expect(cut('🔥🔥🔥', 3)).toBe('🔥🔥🔥')
    expect(cut('🔥🔥🔥🔥', 3)).toBe('🔥🔥…')
    expect(cut('', 3)).toBe('')
  })

  it('gives at most the limit, and the text itself where it fits', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, limit) => {
        const short = cut(text, limit)
        expect(Array.from(short).length).toBeLessThanOrEqual(limit)
        expect(short.isWellFormed()).toBe(true)
        if (Array.from(text).length <= limit) expect(short).toBe(text)
      }),
    )
  })
})

describe('cutBytes', () => {
  it('counts bytes of UTF-8 and never splits a character', () => {
    expect(cutBytes('🔥🔥', 8)).toBe('🔥🔥')
    expect(cutBytes('🔥🔥🔥', 9)).toBe('🔥…')
  })

  it('gives at most the limit, and the text itself where it fits', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 3, max: 90 }), (text, limit) => {
        const short = cutBytes(text, limit)
        expect(Buffer.byteLength(short)).toBeLessThanOrEqual(limit)
        expect(short.isWellFormed()).toBe(true)
        if (Buffer.byteLength(text) <= limit) expect(short).toBe(text)
      }),
    )
  })
})

describe('withoutMentions', () => {
  it.each(['@everyone', 'see @here', '(@channel)', '@U123', '@日本', '/@all', '@@team'])(
    'keeps %s from calling anybody',
    (text) => {
      expect(withoutMentions(text)).not.toMatch(/@[\p{L}\p{N}_]/u)
      expect(withoutMentions(text).replaceAll('\u200b', '')).toBe(text)
    },
  )

  it('leaves addresses whole', () => {
    expect(withoutMentions('ops@shop.test, a.b+c@x')).toBe('ops@shop.test, a.b+c@x')
  })
})

describe('neutral', () => {
  it('holds the limit also when marks are put in', () => {
    expect(Array.from(neutral('@a '.repeat(100), 50)).length).toBeLessThanOrEqual(50)
  })
})
