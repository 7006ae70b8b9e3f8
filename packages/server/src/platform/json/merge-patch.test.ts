import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from './json.ts'
import { mergePatch } from './merge-patch.ts'

const merged = (target: string, patch: string): string =>
  JSON.stringify(mergePatch(JSON.parse(target), JSON.parse(patch)))

/** RFC 7396, appendix A: original, patch, result. */
const appendix: [string, string, string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
]

describe('a merge patch', () => {
  it.each(appendix)('of %s by %s gives %s', (target, patch, result) => {
    expect(merged(target, patch)).toBe(result)
  })

  it('has all cases of the appendix', () => {
    expect(appendix).toHaveLength(15)
  })

  it('of something that is not there is the patch without what it removes', () => {
    expect(mergePatch(undefined, { a: { b: null, c: 1 } })).toEqual({ a: { c: 1 } })
  })

  it('leaves nulls in lists alone', () => {
    expect(merged('{"a":1}', '{"a":[null,{"b":null}]}')).toBe('{"a":[null,{"b":null}]}')
  })

  it.each([
    ['{}', '{"__proto__":{"polluted":true}}', '{"__proto__":{"polluted":true}}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"b":2}}', '{"__proto__":{"a":1,"b":2}}'],
    ['{"__proto__":1,"b":2}', '{"__proto__":null}', '{"b":2}'],
    [
      '{}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
    ],
    ['{"b":2}', '{"toString":null,"hasOwnProperty":1}', '{"b":2,"hasOwnProperty":1}'],
  ])('of %s by %s takes every key for data', (target, patch, result) => {
    expect(merged(target, patch)).toBe(result)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    const object = mergePatch(JSON.parse(target), JSON.parse(patch))
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
  })

  it('goes far deeper than the API lets a body be', () => {
    const nested = (depth: number, innermost: string) =>
      `${'{"a":'.repeat(depth)}${innermost}${'}'.repeat(depth)}`
    for (const depth of [64, 2_000])
      expect(merged(nested(depth, '{"b":1,"c":2}'), nested(depth, '{"b":null,"d":3}'))).toBe(
        nested(depth, '{"c":2,"d":3}'),
      )
  })

  it('changes neither the target nor the patch, and follows the rules of the RFC', () => {
    /** The algorithm of RFC 7396, section 2, word for word. */
    const byTheBook = (target: unknown, patch: unknown): unknown => {
      if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
      const result = new Map<string, unknown>(
        typeof target === 'object' && target !== null && !Array.isArray(target) ? Object.entries(target) : [],
      )
      for (const [name, value] of Object.entries(patch)) {
        if (value === null) result.delete(name)
        else result.set(name, byTheBook(result.get(name), value))
      }
      return Object.fromEntries(result)
    }
    // Few keys, so that target and patch meet.
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, 0, 'text', true),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('value')),
      ),
    }))
    fc.assert(
      fc.property(value, value, (target, patch) => {
        const [targetText, patchText] = [JSON.stringify(target), JSON.stringify(patch)]
        const result = mergePatch(target, patch)
        expect(JSON.stringify(result)).toBe(JSON.stringify(byTheBook(target, patch)))
        expect([JSON.stringify(target), JSON.stringify(patch)]).toEqual([targetText, patchText])
        expect(JSON.stringify(mergePatch(result, patch))).toBe(JSON.stringify(result))
      }),
    )
  })
})
