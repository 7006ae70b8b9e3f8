import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalDigest, canonicalJson } from './canonical-json.ts'

describe('canonical JSON', () => {
  it('writes the example of RFC 8785 as the RFC does', () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    expect(canonicalJson(JSON.parse(text))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  it('sorts keys by UTF-16 code units, as the example of RFC 8785 does', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6']
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, null])))
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33']
    expect(text).toBe(`{${sorted.map((key) => `${JSON.stringify(key)}:null`).join(',')}}`)
  })

  it('sorts keys that look like numbers as text', () => {
    expect(canonicalJson({ 9: 1, 10: 2, 1: 3 })).toBe('{"1":3,"10":2,"9":1}')
  })

  it('takes every key for data', () => {
    const text = '{"__proto__":{"a":1},"constructor":2,"toJSON":3}'
    expect(canonicalJson(JSON.parse(text))).toBe(text)
  })

  it('writes minus zero as zero, and half of a pair as an escape', () => {
    expect(canonicalJson([-0, 0, '\ud800'])).toBe(String.raw`[0,0,"\ud800"]`)
  })

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
  })

  it.each([
    ['undefined', undefined],
    ['a list with a gap', [1, undefined]],
    // biome-ignore lint/suspicious/noSparseArray: that is what it is about.
    ['a list with a hole', [1, , 2]],
    ['not a number', Number.NaN],
    ['infinity', { a: Number.POSITIVE_INFINITY }],
    ['a big integer', 1n],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', new Uint8Array(2)],
    ['a function', () => 1],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  })

  it('says the same whatever the order of keys, and means the same as what it was made from', () => {
    const reordered = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reordered)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .map(([key, inner]) => [key, reordered(inner)])
          .reverse(),
      )
    }
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(reordered(value))).toBe(text)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })

  it('has a digest of its UTF-8 bytes', () => {
    const digest = createHash('sha256').update(Buffer.from('{"a":"ö","b":1}')).digest('hex')
    expect(canonicalDigest({ b: 1, a: 'ö' })).toBe(`sha256:${digest}`)
    expect(canonicalDigest({})).toBe(
      'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    )
  })
})
