import { temporaryFolder } from '@pulseward/testing'
import { loadFleetFiles, mistakesIn, monitorsOf } from '@pulseward/testing/fleet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNdjson } from './read-ndjson.ts'

const mebibyte = 1 << 20

function line(name: string, bytes = 0): string {
  const monitor = { name, check: { type: 'http', config: { url: 'http://a/', body: '' } } }
  monitor.check.config.body = 'x'.repeat(Math.max(0, bytes - JSON.stringify(monitor).length))
  return JSON.stringify(monitor)
}

async function namesIn(content: string | Buffer): Promise<string[]> {
  const { definition } = await loadFleetFiles({ 'fleet.ndjson': content })
  return monitorsOf(definition).map(({ name }) => name)
}

describe('an NDJSON file', () => {
  it('gives every monitor in its order, however its lines lie over the chunks that are read', async () => {
    const sizes = [100, mebibyte - 101, 100, mebibyte - 102, 300_000, 800_000, 1, mebibyte, 100, mebibyte]
    const content = sizes.map((bytes, index) => line(`m${index}`, bytes)).join('\n')
    const names = sizes.map((_, index) => `m${index}`)
    expect(await namesIn(content)).toEqual(names)
    expect(await namesIn(`${content}\n`)).toEqual(names)
  })

  const texts: Record<string, string> = {
    'without a last line end': `${line('a')}\n${line('b')}`,
    'with carriage returns': `${line('a')}\r\n${line('b')}\r\n`,
    'with empty lines': `\n${line('a')}\n\n  \n${line('b')}\n\n`,
    'with a byte order mark': `\ufeff${line('a')}\n${line('b')}\n`,
    'with blanks between words': `${line('a').replaceAll(':', ' : ').replace('http : //a/', 'http://a/')}\n${line('b')}\n`,
  }
  for (const [title, text] of Object.entries(texts)) {
    it(`may be written ${title}`, async () => expect(await namesIn(text)).toEqual(['a', 'b']))
  }

  it('may be empty', async () => expect(await namesIn('')).toEqual([]))

  it('may have a monitor of 1 MiB in a line, and not a byte more', async () => {
    expect(await namesIn(`${line('a', mebibyte)}\n${line('b')}\n`)).toEqual(['a', 'b'])
    for (const bytes of [mebibyte + 1, 1.5 * mebibyte, 3 * mebibyte]) {
      const content = `${line('a')}\n${line('long', bytes)}\n${line('b')}\n{"nmae":"c"}\n${line('long', bytes)}`
      const mistakes = await mistakesIn({ 'fleet.ndjson': content })
      expect(mistakes.filter((mistake) => /too long/.test(mistake))).toEqual([
        '2: the line is too long; a monitor may have at most 1 MiB.',
        '5: the line is too long; a monitor may have at most 1 MiB.',
      ])
      expect(mistakes.some((mistake) => mistake.startsWith('4: nmae: '))).toBe(true)
    }
  })

  it('explains every line that is no JSON and goes on', async () => {
    const content = [
      line('a'),
      '{"name":"b"',
      'nonsense',
      `${line('c')}${line('d')}`,
      '"text"',
      '{"nmae":"e"}',
      '[1,2]',
    ].join('\n')
    expect(await mistakesIn({ 'fleet.ndjson': content })).toEqual([
      "2: the line is not valid JSON: Expected ',' or '}' after property value at column 12.",
      "3: the line is not valid JSON: Unexpected token 'o'.",
      expect.stringMatching(
        /^4: the line is not valid JSON: Unexpected non-whitespace character after JSON at column \d+\.$/,
      ),
      expect.stringMatching(/^5: must be a mapping with the keys .*, not "text"\.$/),
      expect.stringMatching(/^6: nmae: /),
      expect.stringMatching(/^6: "name" is missing/),
      expect.stringMatching(/^6: "check" is missing/),
      expect.stringMatching(/^7: must be a mapping with the keys .*, not a list\.$/),
    ])
  })

  it('does not repeat what it could not read: it may be a secret', async () => {
    for (const content of ['{"token":hunter2}', 'hunter2', '{"token":"hunter2', '{"token":"hunter2"}}']) {
      expect((await mistakesIn({ 'fleet.ndjson': content })).join()).not.toContain('hunter2')
    }
  })

  it('refuses lines that are not UTF-8, and only those', async () => {
    const content = Buffer.concat([
      Buffer.from(`${line('a')}\n{"name":"caf`),
      Buffer.from([0xe9]),
      Buffer.from(`"}\n${line('b')}\n`),
    ])
    expect(await mistakesIn({ 'fleet.ndjson': content })).toEqual(['2: the line is not valid UTF-8.'])
  })

  it('does not take a line break inside a monitor for a comma', async () => {
    const halves = '{"name":"a"\n"check":{"type":"icmp","config":{"host":"a"}}}\n'
    const mistakes = await mistakesIn({ 'fleet.ndjson': halves })
    expect(mistakes.map((mistake) => mistake.slice(0, 30))).toEqual([
      '1: the line is not valid JSON:',
      '2: the line is not valid JSON:',
    ])
  })

  it('survives nesting that would exhaust the stack', async () => {
    for (const depth of [1_000, 20_000, 100_000]) {
      const content = `{"name":"a","check":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
      expect((await mistakesIn({ 'fleet.ndjson': content })).length).toBeGreaterThan(0)
    }
  })

  it('reads what JSON.parse reads, line by line', async () => {
    using folder = temporaryFolder()
    const values = fc.array(fc.oneof(fc.jsonValue(), fc.constantFrom('', ' ')), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom('\n', '\r\n'), async (lines, lineEnd) => {
        const texts = lines.map((value) =>
          typeof value === 'string' && value.trim() === '' ? value : JSON.stringify(value),
        )
        const file = folder.write('fleet.ndjson', texts.join(lineEnd))
        const read: unknown[] = []
        for await (const { monitors, mistakes } of readNdjson(file)) {
          expect(mistakes).toEqual([])
          read.push(...monitors)
        }
        const expected = texts.filter((text) => text.trim() !== '').map((text) => JSON.parse(text))
        expect(read.filter((value) => value !== undefined)).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })
})
