import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readJsonText } from './json-text.ts'

it('reads whatever JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value, null, 2)
      const read = readJsonText(text)
      expect(read.isRead && JSON.stringify(read.value)).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
})

it('accepts exactly what JSON.parse accepts, but for names that stand twice', () => {
  const sign = fc.constantFrom(...'{}[]",:0123.eE+-truefalsn \n\\u'.split(''))
  fc.assert(
    fc.property(
      fc.array(sign, { maxLength: 12 }).map((signs) => signs.join('')),
      (text) => {
        const read = readJsonText(text)
        if (!read.isRead && /twice|too large/.test(read.message)) return
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        expect(read.isRead).toBe(isJson)
      },
    ),
    { numRuns: 2_000 },
  )
})

it('knows the line of each value, and of what is missing the line of what is around it', () => {
  const read = readJsonText('{\n  "a": {\n    "b/c": [\n      1,\n      2\n    ]\n  }\n}')
  if (!read.isRead) throw new Error(read.message)
  expect(['', '/a', '/a/b~1c', '/a/b~1c/1', '/a/missing/deeper', '/nothing'].map(read.lineOf)).toEqual([
    1, 2, 3, 5, 2, 1,
  ])
})

it.each([
  ['{\n "a": 1\n "b": 2\n}', 3, 'A comma or } is expected here.'],
  ['{\n "a": 1,\n}', 3, 'No comma may stand before }.'],
  ['{\n "a": 1,\n "a": 2\n}', 3, 'This name stands here twice.'],
  ['{\n a: 1\n}', 2, 'A name in double quotes is expected here.'],
  ['{\n "a": "no end\n}', 2, 'This text has no end on its line, or a \\ that means nothing.'],
  ['{', 1, 'A name in double quotes is expected here.'],
  ['[1] 2', 1, 'Nothing may follow the end of the document.'],
  ['', 1, 'The document ends too early.'],
  ['[1e999]', 1, 'This number is too large.'],
])('says on which line %j is wrong', (text, line, message) => {
  expect(readJsonText(text)).toEqual({ isRead: false, line, message })
})

it('refuses what is nested too deep or too large, and does not break on it', () => {
  expect(readJsonText('['.repeat(500_000))).toMatchObject({
    message: 'The document is nested deeper than 64 levels.',
  })
  expect(readJsonText(`"${'x'.repeat(2 ** 20)}"`)).toMatchObject({ message: /larger than 1 MiB/ })
  expect(readJsonText(`"${'x'.repeat(2 ** 20 - 2)}"`).isRead).toBe(true)
  expect(readJsonText(`"${'é'.repeat(2 ** 19)}"`).isRead).toBe(false)
})

it('keeps __proto__ a member like any other', () => {
  const read = readJsonText('{"__proto__": {"polluted": true}}')
  expect(read.isRead && Object.keys(read.value as object)).toEqual(['__proto__'])
})
