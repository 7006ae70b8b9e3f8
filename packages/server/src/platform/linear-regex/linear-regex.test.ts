import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LinearRegex } from './linear-regex.ts'
import { matchInSlices } from './match-in-slices.ts'

describe('a linear regex', () => {
  const agreeing: readonly [string, readonly string[]][] = [
    ['ok', ['ok', 'not ok', 'o k', '']],
    ['^ok$', ['ok', 'ok\n', 'xok', 'okx']],
    ['a|bc|', ['', 'a', 'bc']],
    ['^(?:a|bc)+$', ['abca', 'bcb', '']],
    ['^a{2,3}$', ['a', 'aa', 'aaa', 'aaaa']],
    ['^a{2}$', ['a', 'aa', 'aaa']],
    ['^a{2,}b?$', ['a', 'aa', 'aaaab', 'ab']],
    ['^a+?b*?$', ['', 'a', 'ab', 'ba']],
    ['^(a?){3}b$', ['b', 'aaab', 'aaaab']],
    ['^(?<name>\\d+)-(\\w+)$', ['12-ab', '-ab', '12-é']],
    ['\\bup\\b', ['up', 'is up.', 'upper', 'setup', 'up2']],
    ['\\Bup', ['up', 'setup', ' up']],
    ['^[^a-c]$', ['a', 'd', '\n', '😀']],
    ['^[\\w.-]+@[\\w-]+\\.\\w+$', ['a.b@c-d.ef', 'a b@c.d']],
    ['^.$', ['a', '\n', '\r', '\u2028', '😀', 'é']],
    ['^\\u00e9\\x41\\u{1F600}$', ['éA😀', 'eA']],
    ['\\s\\S\\d\\D', [' a1b', '\u00a0x9.', 'abcd']],
    ['\\/\\.\\*\\[\\]\\{\\}\\(\\)', ['/.*[]{}()', '']],
    ['"status":\\s*"(ok|warn)"', ['{"status": "ok"}', '{"status":"down"}']],
    ['^$', ['', 'a']],
    ['(?:)', ['', 'a']],
    ['[]', ['', 'a']],
    ['^[^]$', ['a', '\n', '']],
    ['x*', ['', 'y']],
    ['(a*)*b', ['b', 'aab', 'aaa']],
    ['\\t\\n\\r\\f\\v\\0', ['\t\n\r\f\v\0', '']],
  ]
  for (const [source, texts] of agreeing) {
    test(`reads ${source} as the language does`, async () => {
      for (const text of texts) {
        expect([text, await matchInSlices(new LinearRegex(source), text)]).toEqual([
          text,
          new RegExp(source, 'u').test(text),
        ])
      }
    })
  }

  test('takes flags as a prefix', async () => {
    expect(await matchInSlices(new LinearRegex('(?i)^straße [a-z]+$'), 'STRAßE ABC')).toBe(true)
    expect(await matchInSlices(new LinearRegex('(?i)[^a]'), 'A')).toBe(false)
    expect(await matchInSlices(new LinearRegex('(?m)^two$'), 'one\ntwo\nthree')).toBe(true)
    expect(await matchInSlices(new LinearRegex('^two$'), 'one\ntwo\nthree')).toBe(false)
    expect(await matchInSlices(new LinearRegex('(?s)a.b'), 'a\nb')).toBe(true)
    expect(await matchInSlices(new LinearRegex('(?ims)^A.B$'), 'x\na\nb\n')).toBe(true)
  })

  test('agrees with the language on random expressions and texts', async () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'c',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\b',
      '\\B',
      '^',
      '$',
      '\\d',
      '-',
      'é',
    )
    const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?')
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        atom,
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `${a}${b}`),
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(?:${a}|${b})`),
        fc.tuple(tie('tree'), quantifier).map(([a, q]) => `(?:x${a})${q}`),
        fc.tuple(tie('tree'), quantifier).map(([a, q]) => `(${a}|)${q}`),
      ),
    }))
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'x', '1', ' ', '-', '\n', 'é', '→'),
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(tree, text, async (source, input) => {
        expect(await matchInSlices(new LinearRegex(source), input)).toBe(new RegExp(source, 'u').test(input))
      }),
      { numRuns: 3_000 },
    )
  })

  test('answers the same when its table is forgotten on the way', async () => {
    const source = '(?:a|b)*a(?:a|b){12}c'
    const regex = new LinearRegex(source)
    expect(await matchInSlices(regex, noise(30_000))).toBe(false)
    expect(await matchInSlices(regex, `${noise(30_000)}abbbbbbbbbbbbc`)).toBe(true)
  })

  test('two searches at once on one regex do not disturb each other', async () => {
    const regex = new LinearRegex('(?:a|b)*a(?:a|b){12}c')
    const text = noise(60_000)
    const both = await Promise.all([
      matchInSlices(regex, text),
      matchInSlices(regex, `${text}abbbbbbbbbbbbc`),
    ])
    expect(both).toEqual([false, true])
  })

  for (const source of [
    '(a+)+$',
    '^(a|a)*b',
    '(x+x+)+y',
    '.*.*.*.*.*=x',
    '(?:a{1,20}){1,20}b',
    '(?:.?){200}b',
    '(?:a|b|ab)*c',
    '(?:a|aa)+$',
    '(?:a|b)*a(?:a|b){200}c',
    '(?i)(?:[a-z]*[0-9]*)*!',
  ]) {
    test(`never holds the event loop with ${source} over a megabyte`, async () => {
      const text = `${'a'.repeat(700_000)}${noise(340_000)}x`
      const regex = new LinearRegex(source)
      const begun = performance.now()
      let longestMs = 0
      let last = process.threadCpuUsage()
      let turning = true
      // Time of this thread's own, so that a busy machine does not count as a held loop.
      const turn = (): void => {
        const { user, system } = process.threadCpuUsage(last)
        longestMs = Math.max(longestMs, (user + system) / 1_000)
        last = process.threadCpuUsage()
        if (turning) setImmediate(turn)
      }
      setImmediate(turn)
      await matchInSlices(regex, text, () => performance.now() - begun > 500)
      turning = false
      // A slice takes some ten; a collection of garbage may fall into one, and time that a host withholds counts as well.
      expect(longestMs).toBeLessThan(100)
    })
  }

  test('stops between two slices when told to', async () => {
    const stopped = matchInSlices(new LinearRegex('(?:.?){200}b'), 'a'.repeat(1_000_000), () => true)
    expect(await stopped).toBeNull()
  })

  const refused: Record<string, string> = {
    '(a': 'a "(" is never closed',
    'a)': 'a ")" has no "(" before it',
    '[a': 'it ends too early',
    'a\\': 'it ends too early',
    '*a': 'nothing to repeat',
    'a**': 'nothing to repeat',
    '^*': 'an anchor cannot be repeated',
    'a{': 'a "{" must be written \\{ unless it repeats: {2}, {2,} or {2,5}',
    'a}': 'a "}" must be written \\}',
    'a{3,2}': 'a repetition has its numbers out of order',
    'a{2000}': 'a repetition is over 1000',
    '(?:a{100}){100}': 'it is too large',
    '(a)\\1': 'back references are not supported',
    '(?=a)': 'look-around and flags inside are not supported',
    '(?<!a)b': 'look-around is not supported',
    '\\p{L}': '\\p classes are not supported',
    '[b-a]': 'a range in a class is out of order',
    '\\u{110000}': 'a \\x or \\u escape is malformed',
    '\\q': '\\q is not supported',
    [`${'('.repeat(60)}a${')'.repeat(60)}`]: 'groups are nested more than 50 deep',
  }
  for (const [source, sentence] of Object.entries(refused)) {
    test(`refuses ${source.slice(0, 20)} with a sentence`, () => {
      expect(() => new LinearRegex(source)).toThrow(sentence)
    })
  }

  test('is built in no time from repetitions of nothing', () => {
    const source = `${'(?:'.repeat(10)}${'){1000}'.repeat(10)}`
    expect(() => new LinearRegex(source)).not.toThrow()
  })
})

/** Letters a and b in an order without a pattern, the same every time. */
function noise(length: number): string {
  let seed = 7
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % 2 === 0 ? 'a' : 'b'
  }).join('')
}
