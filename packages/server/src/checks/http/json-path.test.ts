import { describe, expect, test } from 'vitest'
import { JSON_PATH_PATTERN, valueAt } from './json-path.ts'

const document = { a: { b: [{ c: 1 }, [2, 3]], 'd e': null }, '': 'empty', "it's": 'quoted', __proto__x: 4 }

describe('a JSON path', () => {
  const found: readonly [string, unknown][] = [
    ['$', document],
    ['$.a.b[0].c', 1],
    ["$['a']['b'][1][0]", 2],
    ['$["a"].b[1][1]', 3],
    ["$.a['d e']", null],
    ["$['']", 'empty'],
    ['$["it\'s"]', 'quoted'],
    ['$.__proto__x', 4],
  ]
  for (const [path, value] of found) {
    test(`finds ${path}`, () => {
      expect(path).toMatch(new RegExp(JSON_PATH_PATTERN))
      expect(valueAt(document, path)).toEqual(value)
    })
  }

  for (const path of [
    '$.x',
    '$.a.b.c',
    '$.a[0]',
    '$.a.b[2]',
    '$.a.b.length',
    '$.toString',
    '$.__proto__',
    '$.a.b[0].c.d',
  ]) {
    test(`finds nothing at ${path}`, () => {
      expect(path).toMatch(new RegExp(JSON_PATH_PATTERN))
      expect(valueAt(document, path)).toBeUndefined()
    })
  }

  test('sees a property named __proto__ only when the body has one', () => {
    expect(valueAt(JSON.parse('{"__proto__":{"a":1}}'), '$.__proto__.a')).toBe(1)
  })

  for (const path of [
    '',
    'a',
    '$a',
    '$.',
    '$..a',
    '$.*',
    '$[*]',
    '$[-1]',
    '$[01]',
    '$[?(@.a)]',
    '$.a b',
    "$['a",
    '$.1a',
  ]) {
    test(`is not ${JSON.stringify(path)}`, () => expect(path).not.toMatch(new RegExp(JSON_PATH_PATTERN)))
  }
})
