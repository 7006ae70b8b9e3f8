// What a fleet file may look like: the forms of YAML and JSON, odd bytes, hostile documents.

import { littleCpuMs, threadCpuMs } from '@pulseward/testing'
import { loadFleetFiles, mistakesIn, monitorsOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'

const tcp = 'check: { type: tcp, config: { host: a, port: 1 } }'

async function namesIn(...parameters: Parameters<typeof loadFleetFiles>): Promise<string[]> {
  return monitorsOf((await loadFleetFiles(...parameters)).definition).map(({ name }) => name)
}

describe('a fleet file', () => {
  const texts: Record<string, string> = {
    'in block style': `monitors:\n  - name: grün\n    ${tcp}\n`,
    'in block style at the margin': `monitors:\n- name: grün\n  ${tcp}\n`,
    'in flow style': `{ monitors: [ { name: grün, ${tcp} } ] }`,
    'in flow style that closes at the margin': `monitors: [\n  { name: grün, ${tcp} }\n]\n`,
    'in JSON': JSON.stringify({
      monitors: [{ name: 'grün', check: { type: 'tcp', config: { host: 'a', port: 1 } } }],
    }),
    'with a byte order mark': `\ufeffmonitors:\n  - name: grün\n    ${tcp}\n`,
    'with carriage returns': `monitors:\r\n  - name: grün\r\n    ${tcp}\r\n`,
    'without a last line end': `monitors:\n  - name: grün\n    ${tcp}`,
    'with document markers': `%YAML 1.2\n---\nmonitors:\n  - name: grün\n    ${tcp}\n...\n`,
    'that begins on the marker': `--- { monitors: [ { name: grün, ${tcp} } ] }\n`,
    'after a hundred thousand empty lines': `${'\n'.repeat(100_000)}monitors:\n  - name: grün\n    ${tcp}\n`,
    'with JSON escapes': `{"monitors":[{"name":"gr\\u00fcn",\t"check":{"type":"tcp","config":{"host":"a","port":1}}}]}`,
  }
  for (const [title, text] of Object.entries(texts)) {
    it(`may be written ${title}`, async () => expect(await namesIn(text)).toEqual(['grün']))
  }

  it('may have several documents', async () => {
    const text = `monitors: [ { name: one, ${tcp} } ]\n---\n# only a comment\n---\nmonitors: [ { name: two, ${tcp} } ]\n...\n`
    expect(await namesIn(text)).toEqual(['one', 'two'])
  })

  it('keeps its lines over several documents', async () => {
    const text = 'monitors: []\n---\nmonitor: []\n...\n---\n\nversion: 2\n'
    expect((await mistakesIn(text)).map((mistake) => mistake.slice(0, 12))).toEqual([
      '3: monitor: ',
      '7: version: ',
    ])
  })

  it('may share settings by anchors and merge keys', async () => {
    const text = `monitors:
  - name: one
    check: &base
      type: tcp
      interval: 30s
      config: { host: a, port: 1 }
  - name: two
    check:
      <<: *base
      interval: 45s
  - name: three
    check: *base
`
    const { definition } = await loadFleetFiles(text)
    expect(monitorsOf(definition)).toMatchObject([
      { name: 'one', policy: { intervalMs: 30_000 } },
      { name: 'two', policy: { intervalMs: 45_000 }, config: { host: 'a', port: 1 } },
      { name: 'three', policy: { intervalMs: 30_000 } },
    ])
  })

  it('reads words as YAML 1.2 does: no is a word, a date is a text', async () => {
    const text = `monitors:\n  - name: no\n    ${tcp}\n  - name: 2026-01-01\n    ${tcp}\n`
    expect(await namesIn(text)).toEqual(['no', '2026-01-01'])
  })

  for (const [title, text] of Object.entries({
    nothing: '',
    comments: '# a\n\n  # b\n',
    'empty lines': '\n\n \n',
  })) {
    it(`with only ${title} defines no monitors`, async () => {
      expect(await namesIn(text)).toEqual([])
      await expect(loadFleetFiles(text, { allowEmpty: false })).rejects.toThrow(
        /^No monitors are defined in .*; pass --allow-empty if that is meant\.$/,
      )
    })
  }
})

describe('a mistake of the text itself', () => {
  const latin = Buffer.from(
    `monitors:\n  - name: caf\xe9\n    ${tcp}\n  - name: \xff\n    ${tcp}\n`,
    'latin1',
  )
  const table: Record<string, [text: string | Buffer, ...mistakes: string[]]> = {
    'bytes that are no UTF-8': [latin, '2: the line is not valid UTF-8.', '4: the line is not valid UTF-8.'],
    'tabs for indentation': ['monitors:\n\t- name: a\n', '2: A tab cannot indent. Use spaces.'],
    'an alias to nothing': [
      'monitors:\n  - name: a\n    check: *base\n',
      '3: the document cannot be read: unidentified alias "base".',
    ],
    'a tag that nobody knows': [
      'monitors:\n  - name: !secret a\n',
      '2: the document cannot be read: unknown scalar tag !<!secret>.',
    ],
    'nesting without end': [
      `monitors:\n  ${'['.repeat(100_000)}`,
      '2: the document cannot be read: nesting exceeded maxDepth (64).',
    ],
  }
  for (const [title, [text, ...mistakes]] of Object.entries(table)) {
    it(`is told with its line: ${title}`, async () => expect(await mistakesIn(text)).toEqual(mistakes))
  }

  it('is told for every place where it stands', async () => {
    const text = 'monitors:\n  - name: "a\n    b: 1\n---\ngroups: [a\n---\nversion: 3\n'
    const lines = (await mistakesIn(text)).map((mistake) => Number.parseInt(mistake, 10))
    expect(lines).toEqual(expect.arrayContaining([5, 7]))
    expect(lines[0]).toBeLessThanOrEqual(3)
  })

  it('does not make a liar of files that name what could not be read', async () => {
    const head = 'groups: { ops: [log] }\nendpoints: { log: { type: log } \n'
    const monitors = `monitors:\n  - name: a\n    depends_on: [b]\n    notify: { red: { groups: [ops] } }\n    ${tcp}\n`
    const mistakes = await mistakesIn({ 'head.yaml': head, 'monitors.yaml': monitors })
    expect(mistakes.every((mistake) => mistake.startsWith('head.yaml:'))).toBe(true)
    expect(mistakes).not.toEqual([])
  })
})

describe('a key that stands twice', () => {
  const table: Record<string, [files: Record<string, string>, ...mistakes: string[]]> = {
    'in block style': [
      { 'a.yaml': `monitors:\n  - name: a\n    ${tcp}\n    name: b\n` },
      '4: monitors[0].name: the key "name" is given twice in one mapping; keep one.',
    ],
    'in flow style': [
      { 'a.yaml': `monitors:\n  - { name: a, ${tcp}, enabled: true,\n      enabled: false }\n` },
      '3: monitors[0].enabled: the key "enabled" is given twice in one mapping; keep one.',
    ],
    'in the head': [
      { 'a.yaml': 'endpoints: {}\nmonitors: []\nendpoints: {}\n' },
      '3: endpoints: the key "endpoints" is given twice in one mapping; keep one.',
    ],
    'in JSON': [
      {
        'a.json':
          '{"monitors": [\n {"name": "a",\n "check": {"type": "tcp",\n "config": {"host": "a", "port": 1, "port": 2}}}]}',
      },
      '4: monitors[0].check.config.port: the key "port" is given twice in one mapping; keep one.',
    ],
    'in NDJSON': [
      {
        'a.ndjson':
          '{"name":"a","check":{"type":"icmp","config":{"host":"a"}}}\n{"name":"b","check":{"type":"icmp","interval":"5s","interval":"6s","config":{"host":"a"}}}\n',
      },
      '2: check.interval: the key "interval" is given twice in one mapping; keep one.',
    ],
    'as the same word in two spellings': [
      { 'a.json': '{"monitors": [],\n "\\u006donitors": []}' },
      '2: monitors: the key "monitors" is given twice in one mapping; keep one.',
    ],
  }
  for (const [title, [files, ...mistakes]] of Object.entries(table)) {
    it(`is refused ${title}`, async () => expect(await mistakesIn(files)).toEqual(mistakes))
  }

  it('does not hide the other mistakes of its document', async () => {
    const text = `monitors:\n  - name: a\n    name: b\n    ${tcp}\n  - name: c\n    enabled: 1\n    ${tcp}\n  - name: c\n    ${tcp}\n`
    expect(await mistakesIn(text)).toEqual([
      '3: monitors[0].name: the key "name" is given twice in one mapping; keep one.',
      '6: monitors[1].enabled: must be true or false, not 1.',
      '8: monitors[2].name: "c" is the name of another monitor; give this one another name, or an id.',
    ])
  })
})

describe('a hostile document', () => {
  const levels = [...'abcdefghi']
  const bomb = levels
    .map((name, level) =>
      level === 0
        ? `${name}: &${name} [${Array(10).fill('lol').join(', ')}]`
        : `${name}: &${name} [${Array(10)
            .fill(`*${levels[level - 1]}`)
            .join(', ')}]`,
    )
    .join('\n')

  it('that explodes when it is walked is refused without walking it', async () => {
    const began = threadCpuMs()
    for (const place of [
      'monitors: *i',
      `monitors: [ { name: a, tags: *i, ${tcp} } ]`,
      'groups: { g: *i }',
    ]) {
      expect((await mistakesIn(`${bomb}\n${place}\n`)).length).toBeGreaterThan(levels.length)
    }
    expect(threadCpuMs() - began).toBeLessThan(littleCpuMs)
  })

  it('with more than a thousand aliases is refused', async () => {
    const text = `monitors:\n  - &m { name: a, ${tcp} }\n${'  - *m\n'.repeat(1001)}`
    expect(await mistakesIn(text)).toEqual([
      expect.stringMatching(/^\d+: the document cannot be read: aliases exceeded maxAliases \(1000\)\.$/),
    ])
  })

  it('that contains itself is refused', async () => {
    expect(await mistakesIn('monitors: &all\n  - name: a\n    check: *all\n')).toEqual([
      '2: monitors[0]: is too large; a monitor may have at most 1 MiB.',
    ])
  })

  it('cannot reach into the program by the names of its keys', async () => {
    const text = '{"__proto__": {"polluted": 1}, "monitors": [{"__proto__": {}, "constructor": 1}]}'
    const mistakes = await mistakesIn({ 'a.json': text })
    expect(mistakes.filter((mistake) => / is unknown; /.test(mistake))).toHaveLength(3)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('the size of a monitor', () => {
  const bodyOf = (bytes: number) =>
    JSON.stringify({
      name: 'a',
      check: { type: 'http', config: { url: 'http://a/', body: 'x'.repeat(bytes) } },
    })
  for (const [format, file, wrap] of [
    ['YAML', 'a.yaml', (monitor: string) => `monitors:\n- ${monitor}\n`],
    ['JSON', 'a.json', (monitor: string) => `{"monitors":[\n${monitor}]}`],
  ] as const) {
    it(`is limited to 1 MiB in ${format}`, async () => {
      expect(await mistakesIn({ [file]: wrap(bodyOf(1_000_000)) })).toEqual([])
      expect(await mistakesIn({ [file]: wrap(bodyOf(1 << 20)) })).toEqual([
        '2: monitors[0]: is too large; a monitor may have at most 1 MiB.',
      ])
    })
  }
})
