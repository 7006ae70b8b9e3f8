import { v2 } from '@pulseward/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pointerTo } from './json-pointer.ts'
import { parseStrictJson } from './strict-json.ts'

function read(text: string) {
  return parseStrictJson(Buffer.from(text))
}

function parsed(text: string): unknown {
  const read = parseStrictJson(Buffer.from(text))
  if ('mistakes' in read) throw new Error(JSON.stringify(read.mistakes))
  return read.value
}

function mistakesOf(text: string | Uint8Array) {
  const read = parseStrictJson(typeof text === 'string' ? Buffer.from(text) : text)
  return 'mistakes' in read ? read.mistakes : []
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('strict JSON', () => {
  it('is whatever the engine can read', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parsed(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('takes bytes from the middle of a larger buffer', () => {
    const bytes = Buffer.from('"nothing"{"a":1}"nothing"')
    expect(parseStrictJson(bytes.subarray(9, 16))).toEqual({ value: { a: 1 } })
  })

  it('refuses exactly what the engine refuses, when keys are different and numbers finite', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b\\n"',
      '1',
      '-0.5e2 ',
      '01',
      'true',
      'nul',
      ' ',
      '\n',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (parts) => {
        const text = parts.join('')
        let right: { value: unknown } | null
        try {
          right = { value: JSON.parse(text) }
        } catch {
          right = null
        }
        const reasons = mistakesOf(text).map(({ reason }) => reason)
        if (right === null) expect(reasons).toContain('notJson')
        else if (!reasons.includes('duplicateKey')) expect(read(text)).toEqual(right)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['', '', 'is empty'],
    ['  \n', '', 'is empty'],
    ['\ufeff{}', '', 'begins with a byte order mark, which JSON does not have'],
    ['{"a":1,}', '', 'is not JSON: a key in double quotes is expected in line 1, column 8'],
    ["{'a':1}", '', 'is not JSON: a key in double quotes is expected in line 1, column 2'],
    ['{"a" 1}', '/a', 'is not JSON: a colon is expected in line 1, column 6'],
    [
      '{\n  "a": {\n    "b": [1 2]\n  }\n}',
      '/a/b',
      'is not JSON: a comma or ] is expected in line 3, column 13',
    ],
    ['{"a":[true,nil]}', '/a/1', 'is not JSON: a value is expected in line 1, column 12'],
    ['{"a":NaN}', '/a', 'is not JSON: a value is expected in line 1, column 6'],
    ['{"a":01}', '', 'is not JSON: a comma or } is expected in line 1, column 7'],
    ['{"a":"b', '/a', 'has an unterminated string, which begins in line 1, column 6'],
    ['{"a":"b\n"}', '/a', 'has an unterminated string, which begins in line 1, column 6'],
    ['{"a":"\\x"}', '/a', 'is not JSON: an escape such as \\n or \\u00e9 is expected in line 1, column 7'],
    ['{"a":1', '', 'is not JSON: a comma or } is expected at the end'],
    ['{} {}', '', 'goes on after its end, in line 1, column 4'],
    ['// no comments\n{}', '', 'is not JSON: a value is expected in line 1, column 1'],
    ['{"a":1}\u00a0', '', 'goes on after its end, in line 1, column 8'],
  ])('says where %j is wrong', (text, field, message) => {
    expect(mistakesOf(text)).toEqual([{ field, reason: 'notJson', message }])
  })

  it('never repeats what was sent', () => {
    for (const text of ['{"a":"hunter2hunter2', '{"a":hunter2hunter2}', '{"a":"hunter2hunter2" "b"}'])
      expect(JSON.stringify(mistakesOf(text))).not.toContain('hunter2')
  })

  it('is UTF-8', () => {
    expect(parsed('{"ä":"€ 𝄞"}')).toEqual({ ä: '€ 𝄞' })
    const wrong = [
      [0x22, 0xff, 0x22],
      [0x22, 0xc3, 0x28, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xc0, 0x80],
    ]
    for (const bytes of wrong)
      expect(mistakesOf(Uint8Array.from(bytes))).toMatchObject([{ field: '', reason: 'notUtf8' }])
    const latin1 = Buffer.from('{"a":"fran\u00e7ais"}', 'latin1')
    expect(mistakesOf(latin1)[0]?.message).toBe('is not UTF-8: byte 11 cannot be decoded')
    // A replacement character that was sent as such is a character.
    expect(parsed('"\ufffd"')).toBe('\ufffd')
  })

  it('has no half of a surrogate pair, however it is written', () => {
    expect(parsed('["\\ud834\\udd1e","\\uDBFF\\uDFFF","\\\\ud800","\\u00d8"]')).toEqual([
      '𝄞',
      '\u{10ffff}',
      '\\ud800',
      'Ø',
    ])
    expect(mistakesOf('{"a":["ok","\\ud834"]}')).toMatchObject([{ field: '/a/1', reason: 'notUnicode' }])
    expect(mistakesOf('{"\\uDEAD":1}')).toMatchObject([{ reason: 'notUnicode' }])
    expect(mistakesOf('"\\udd1e\\ud834"')).toMatchObject([{ field: '', reason: 'notUnicode' }])
  })

  it('has no number that would become infinite', () => {
    expect(parsed('[1e308,-1e308,1e-999,9007199254740993]')).toEqual([1e308, -1e308, 0, 2 ** 53])
    expect(mistakesOf('{"a":{"b":[1,1e309]}}')).toMatchObject([{ field: '/a/b/1', reason: 'outOfRange' }])
    expect(mistakesOf(`-${'9'.repeat(400)}`)).toMatchObject([{ field: '', reason: 'outOfRange' }])
  })

  it('is at most 64 levels deep, and a body of brackets is refused without being built', () => {
    expect(parsed(nested(64))).toEqual(JSON.parse(nested(64)))
    expect(mistakesOf(nested(65))).toMatchObject([{ reason: 'tooDeep' }])
    expect(mistakesOf('['.repeat(1_048_576))).toMatchObject([{ reason: 'tooDeep' }])
    expect(mistakesOf('{"a":'.repeat(100_000))).toMatchObject([{ field: '/a'.repeat(64), reason: 'tooDeep' }])
    expect(parsed(`["${nested(100)}"]`)).toEqual([nested(100)])
  })
})

describe('a key', () => {
  it('is data, whatever its name', () => {
    const value = parsed('{"__proto__":{"admin":true},"constructor":1,"toString":2}') as object
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect((value as { admin?: boolean }).admin).toBeUndefined()
    expect(mistakesOf('{"__proto__":1,"__proto__":2}')).toMatchObject([
      { field: '/__proto__', reason: 'duplicateKey' },
    ])
  })

  it.each([
    ['{"a":1,"a":1}', ['/a']],
    ['{"a":1,"\\u0061":1}', ['/a']],
    ['{"a":{"a":1},"b":{"a":1}}', []],
    ['[{"a":1},{"a":1}]', []],
    ['{"a":":{,\\"a\\":","b":1}', []],
    ['{"1":1,"01":1,"1.0":1}', []],
    ['{"":1,"":2}', ['/']],
    ['{"a":{"b":[0,{"c/d":1,"c/d":2}]}}', ['/a/b/1/c~1d']],
    ['{"a":1,"a":{"b":1,"b":2},"a":3}', ['/a', '/a/b', '/a']],
  ])('that is twice in %j is named', (text, fields) => {
    expect(mistakesOf(text).map(({ field, reason }) => [field, reason])).toEqual(
      fields.map((field) => [field, 'duplicateKey']),
    )
  })

  it('that is twice is named with the place of the second', () => {
    expect(mistakesOf('{\n  "kind": "Monitor",\n  "kind": "Group"\n}')).toEqual([
      {
        field: '/kind',
        reason: 'duplicateKey',
        message: 'is in the same object twice, again in line 3, column 3',
      },
    ])
  })

  type Tree = number | string | Tree[] | { readonly entries: readonly (readonly [string, Tree])[] }
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.integer(),
      fc.constantFrom('"', '\\', ':', '{"a":1', 'ä'),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.record({
        entries: fc.array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'ä/~', ''), tie('tree')), {
          maxLength: 4,
        }),
      }),
    ),
  }))

  function textOf(tree: Tree): string {
    if (Array.isArray(tree)) return `[${tree.map(textOf).join(' , ')}]`
    if (typeof tree !== 'object') return JSON.stringify(tree)
    return `{${tree.entries.map(([key, inner]) => `${JSON.stringify(key)} : ${textOf(inner)}`).join(',')}}`
  }

  function twiceIn(tree: Tree, path: (string | number)[] = []): string[] {
    if (typeof tree !== 'object') return []
    const entries: readonly (readonly [string | number, Tree])[] = Array.isArray(tree)
      ? [...tree.entries()]
      : tree.entries
    const seen = new Set<string | number>()
    return entries.flatMap(([key, inner]) => {
      const own = seen.has(key) ? [pointerTo([...path, key])] : []
      seen.add(key)
      return [...own, ...twiceIn(inner, [...path, key])]
    })
  }

  it('is found twice wherever it is, and nowhere else', () => {
    fc.assert(
      fc.property(tree, (tree) => {
        expect(mistakesOf(textOf(tree)).map(({ field }) => field)).toEqual(twiceIn(tree))
      }),
    )
  })

  it('that is very often twice is told of as often as an answer has room for, and once more', () => {
    const many = `{${Array.from({ length: 80_000 }, () => '"k":1').join(',\n')}}`
    expect(mistakesOf(many)).toHaveLength(v2.limits.problemErrors + 1)
  })
})
