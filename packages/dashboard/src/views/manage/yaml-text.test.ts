import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from './json.ts'
import { readYamlText, writeYamlText } from './yaml-text.ts'

/** Texts that YAML could take for something else. */
const odd = fc.constantFrom(
  ...['yes', 'no', 'null', '~', '', '1', '0x1f', '0o7', '1e3', '.inf', '<<', '2020-01-01', '1:30', '1_000'],
  ...['- a', '? a', 'a: b', 'a:', '# c', 'a #b', '*a', '&a', '!t', '%x', '@x', '`x', '{', '[', '|', '>', '"'],
  ...["'", '---', '...', 'a\nb', 'a\n', 'a\n\n', '\n', ' a', 'a ', '\ta', ' a\nb', 'a\r\nb', 'a\n---\nb'],
  ...['\u2028', '\u0085', '\ufeffa', 'a\u0000', '\u202e', 'a\\', '\ud800', 'x'.repeat(1_100)],
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  odd,
  fc.tuple(odd, odd).map((parts) => parts.join('')),
  fc.tuple(odd, odd).map((parts) => parts.join('\n')),
)
const name = text.filter((one) => one !== '__proto__')
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

function valueIn(yaml: string): Json {
  const read = readYamlText(yaml)
  if (!read.isRead) throw new Error(`line ${read.line}: ${read.message}`)
  return read.value
}

describe('writing', () => {
  function isReadAsTheSame(numRuns: number): void {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(JSON.stringify(valueIn(writeYamlText(value)))).toBe(JSON.stringify(value))
      }),
      { numRuns },
    )
  }

  it('gives a text that is read as the same value, its members in their order', () => isReadAsTheSame(200))

  it('does so for a thousand values', { tags: 'long' }, () => isReadAsTheSame(1_000))

  it('writes blocks, quotes what looks like something else, and folds nothing', () => {
    const long = 'many words '.repeat(30).trim()
    const written = writeYamlText({
      b: { yes: 'no', port: '443', at: '2020-01-01' },
      a: [1, 'x', {}, []],
      long,
      pem: '-----BEGIN-----\nabc\n',
    })
    expect(written).toBe(`b:
  "yes": "no"
  port: "443"
  at: "2020-01-01"
a:
  - 1
  - x
  - {}
  - []
long: ${long}
pem: |
  -----BEGIN-----
  abc
`)
  })

  it('spells out signs that turn the direction of a text or are not seen', () => {
    expect(writeYamlText({ name: 'a\u202eb', '\ufeffc': '\u200b' })).toBe(
      'name: "a\\u202eb"\n"\\ufeffc": "\\u200b"\n',
    )
  })
})

describe('reading', () => {
  it('takes JSON, however it is indented', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(0, 2, '\t'), (value, indent) => {
        const json = JSON.stringify(value, null, indent)
        fc.pre(!json.includes('"__proto__"'))
        expect(JSON.stringify(valueIn(json))).toBe(JSON.stringify(JSON.parse(json)))
      }),
    )
  })

  it('follows the core schema of YAML 1.2', () => {
    expect(valueIn('---\n# a comment\n{a: yes, b: 0o17, c: 2020-01-01, d: ~, e: 1.50}\n...\n')).toEqual({
      a: 'yes',
      b: 15,
      c: '2020-01-01',
      d: null,
      e: 1.5,
    })
  })

  it.each([
    ['a:\n  b/c:\n    - 1\n    - x: 2\nd: |\n  text\n'],
    ['{"a": {\n"b/c": [\n1,\n{"x": 2}]},\n"d": "text"}'],
  ])('knows the line of each value, and of what is missing the line of what is around it', (yaml) => {
    const read = readYamlText(yaml)
    if (!read.isRead) throw new Error(read.message)
    const pointers = ['', '/a', '/a/b~1c', '/a/b~1c/0', '/a/b~1c/1/x', '/d', '/a/missing/deeper', '/nothing']
    expect(pointers.map(read.lineOf)).toEqual([1, 1, 2, 3, 4, 5, 1, 1])
  })
})

describe('refuses, at its line,', () => {
  it.each([
    [
      'a name that stands twice',
      'a: 1\nb:\n  c: 1\n  c: 2\n',
      4,
      'The name "c" occurs twice in one mapping.',
    ],
    ['a name that stands twice in JSON', '{"a": 1,\n"a": 2}', 2, 'The name "a" occurs twice in one mapping.'],
    ['an anchor', 'a: 1\nb: &x 2\n', 2, /^Anchors \(&\) are not accepted/],
    ['an alias', 'a: 1\nb: *x\n', 2, /^Aliases \(\*\) are not accepted/],
    ['a merge key', 'a: 1\n<<: {b: 2}\n', 2, /^Merge keys \(<<\) are not accepted/],
    ['a tag', 'a: 1\nb: !!binary aGk=\n', 2, /^Tags \(!\) are not accepted/],
    ['a directive', '%YAML 1.1\n---\na: yes\n', 1, /^Directives \(%\) are not accepted/],
    ['a second document', 'a: 1\n---\nb: 2\n', 2, /^A second document begins here/],
    ['a second document without a mark', 'a: 1\n...\nb: 2\n', 3, /^A second document begins here/],
    ['infinity', 'a: 1\nb: .inf\n', 2, 'This number is too large, or it is not a number.'],
    ['what is not a number', 'a: 1\nb: .nan\n', 2, 'This number is too large, or it is not a number.'],
    ['a number that is too large', 'a: 1\nb: 1e999\n', 2, 'This number is too large, or it is not a number.'],
    ['a number as name', 'a: 1\n8080: b\n', 2, 'This name is not a text. Put it in quotes.'],
    ['a list as name', 'a: 1\n? [b]\n: c\n', 2, 'This name is not a text. Put it in quotes.'],
    ['no name', 'a: 1\n: b\n', 2, 'This name is not a text. Put it in quotes.'],
    ['__proto__', 'a: 1\n__proto__: {b: 2}\n', 2, 'The name __proto__ is not accepted.'],
    ['__proto__ in quotes', '{"a": 1,\n"__proto__": {}}', 2, 'The name __proto__ is not accepted.'],
    ['an open quote', 'a: 1\nb: "x\nc: 2\n', 2, 'The quote that opens here is never closed.'],
    ['an open single quote', "a: 1\nb: 'x''\n", 2, 'The quote that opens here is never closed.'],
    ['a quote that a \\ keeps open', 'a: 1\nb: "x\\"', 2, 'The quote that opens here is never closed.'],
    ['an escape that means nothing', 'a: 1\nb: "\\q"', 2, /^This \\ is not a valid escape/],
    ['a tab that indents', 'a:\n\tb: 1\n', 2, 'A tab cannot indent. Use spaces.'],
    ['a second colon', 'a: 1\nb: c: d\n', 2, /^There is a name inside a value here/],
    ['a line without a colon', 'a: 1\nb\n', 2, 'A colon and a space are missing after this name.'],
    ['a name on two lines', 'a:\n  b\n  c: 1\n', 2, /^A colon and a space are missing after a name/],
    ['a comma that is missing', '{"a": 1,\n"b": 2 "c": 3}', 2, /^A comma is missing here/],
    ['a bracket too many', 'a: 1\n]\n', 2, /^This does not fit in here/],
    ['a bracket that is missing', 'a: 1\nb: [1,\n', 2, /^A { or \[ is not closed/],
    [
      'an odd indentation',
      'a:\n    b: 1\n  c: 2\n',
      3,
      /^This line does not begin where the lines beside it/,
    ],
    ['what it would repeat only in part', `a: 1\nb: |${'x'.repeat(2 ** 19)}`, 2, /^Block scalar .{1,190}…$/],
    ['nothing', '', 1, 'The document is empty.'],
    ['comments alone', '# a\n', 1, 'The document is empty.'],
  ])('%s', (_, yaml, line, message) => {
    const read = readYamlText(yaml)
    expect(read).toMatchObject({ isRead: false, line })
    expect(!read.isRead && read.message).toMatch(message)
  })

  it.each([
    ['flow', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['blocks', (depth: number) => `${'- '.repeat(depth - 1)}[]`],
    ['pairs', (depth: number) => '[a: '.repeat(depth / 2) + ']'.repeat(depth / 2)],
  ])('what is nested too deep in %s', (_, nested) => {
    expect(readYamlText(nested(64)).isRead).toBe(true)
    expect(readYamlText(nested(66))).toEqual({
      isRead: false,
      line: 1,
      message: 'The document is nested deeper than 64 levels.',
    })
  })

  it('more than 1 MiB, counted in bytes', () => {
    expect(readYamlText(`"${'x'.repeat(2 ** 20 - 2)}"`).isRead).toBe(true)
    expect(readYamlText(`"${'x'.repeat(2 ** 20 - 1)}"`)).toMatchObject({ message: /larger than 1 MiB/ })
    expect(readYamlText(`"${'é'.repeat(2 ** 19)}"`).isRead).toBe(false)
  })
})

describe('a hostile document of 1 MiB', () => {
  const bomb = `a: &a [x,x]\n${Array.from('bcdefghi', (one, at) => `${one}: &${one} [*${'abcdefgh'[at]},*${'abcdefgh'[at]}]\n`).join('')}`
  const full = (part: string) => part.repeat(Math.floor(2 ** 20 / part.length))

  it.each([
    ['that explodes', bomb, /Anchors/],
    ['of opening brackets', full('['), /deeper/],
    ['of dashes', full('- '), /deeper/],
    ['of quotes', full('"'), /too many parts/],
    ['of closing brackets', full(']'), /./],
    ['of documents', full('---\n'), /second document/],
    ['of anchors', full('&a '), /Anchors/],
    ['of wrong escapes', `"${full('\\q').slice(2)}"`, /is not a valid escape/],
    ['of colons', full(':'), /./],
  ])('%s is refused', (_, yaml, message) => {
    const read = readYamlText(yaml)
    expect(!read.isRead && read.message).toMatch(message)
  })

  // By the same count as quotes: only the time that the library takes differs.
  it.each([
    ['of items', full('- a\n')],
    ['of numbers', `[${full('1,\n').slice(4)}1]`],
    ['of one name', full('a: 1\n')],
    ['of comments', full('#\n')],
    ['of empty lines', full('\n')],
    ['of ends', full('...\n')],
  ])('%s is refused, too', { tags: 'long' }, (_, yaml) => {
    const read = readYamlText(yaml)
    expect(!read.isRead && read.message).toMatch(/too many parts/)
  })

  it.each([
    ['of letters', `a: ${full('x').slice(3)}`],
    ['of lines', `a: |\n${full(' x\n').slice(9)}`],
    ['of words on many lines', `a:\n${full(' x\n').slice(9)}`],
    ['of escapes', `"${full('\\n').slice(2)}"`],
  ])('%s is read', (_, yaml) => {
    expect(readYamlText(yaml)).toMatchObject({ isRead: true })
  })
})
