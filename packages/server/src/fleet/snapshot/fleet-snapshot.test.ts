import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { monitorsOf } from '@pulseward/testing/fleet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../../config/driver-shapes.ts'
import { PackedReader } from '../../platform/packed-strings.ts'
import { RowIndex } from '../../platform/row-index.ts'
import type { Arrangement } from '../arrangement.ts'
import { headOf } from '../fleet-change.ts'
import { fleetKey, readFleetSnapshot } from './fleet-snapshot.ts'
import { keep, readFiles, readKept } from './kept-fleet.fixture.ts'

const head = `credentials: { word: { env: WORD } }
endpoints: { log: { type: log }, hook: { type: webhook, config: { url: "https://hooks.test/a" } } }
groups: { ops: [log, hook] }
defaults: { check: { interval: 20s }, notify: { red: { groups: [ops] } } }
routes: [{ match: { team: a }, colors: [red, yellow], groups: [ops], policy: page }]
people: { ana: { endpoints: [log] } }
schedules: { primary: { layers: [{ people: [ana], start: "2026-03-02T09:00" }] } }
policies: { page: { steps: [{ notify: [{ schedule: primary }] }] } }
`
const environment = { WORD: 'hunter2' }

const monitor = fc.record(
  {
    name: fc.constantFrom('Ärger', 'STRASSE', 'e\u0301', 'plain', '🙂 ς'),
    enabled: fc.boolean(),
    tags: fc.constantFrom([], ['x'], ['y', 'x', 'y']),
    labels: fc.constantFrom({}, { team: 'a' }, { team: 'b', place: 'c' }),
    recovery: fc.constantFrom(
      { type: 'webhook', config: { url: 'https://heal.test/' } },
      { type: 'webhook', settle: '5s', timeout: '3s', config: { url: 'https://heal.test/b' } },
    ),
    notify: fc.constantFrom({ red: { endpoints: ['log'] } }, { yellow: { groups: ['ops'] }, repeat: '1h' }),
    maintenance: fc.constantFrom(
      [{ cron: '0 3 * * 0', duration: '1h', timezone: 'Europe/Berlin' }],
      [{ start: '2026-01-01T00:00Z', end: '2026-01-02T00:00Z' }],
    ),
    check: fc.oneof(
      fc.record({
        type: fc.constant('tcp'),
        interval: fc.constantFrom('10s', '30s'),
        config: fc.record({ host: fc.constantFrom('a', 'b'), port: fc.integer({ min: 1, max: 65_535 }) }),
      }),
      fc.constantFrom(
        { type: 'http', config: { url: 'http://a/', auth: { bearer: { credential: 'word' } } } },
        { type: 'icmp', timeout: '2s', retries: 2, config: { host: { credential: 'word' } } },
      ),
    ),
  },
  { requiredKeys: ['name', 'check'] },
)
const fleets = fc.array(monitor, { maxLength: 30 })

/** A document with a head, and lines; every monitor but the first depends on one before it. */
function filesOf(monitors: readonly object[]): Record<string, string> {
  const numbered = monitors.map((one, number) => ({
    id: `m-${number}`,
    ...one,
    ...(number % 3 === 2 ? { depends_on: [`m-${number - 1}`, 'm-0'] } : {}),
  }))
  const half = Math.floor(numbered.length / 2)
  const lines = (some: readonly object[]) => some.map((one) => JSON.stringify(one))
  return {
    'a.yaml': `${head}monitors: [${lines(numbered.slice(0, half)).join(', ')}]\n`,
    'b.ndjson': `${lines(numbered.slice(half)).join('\n')}\n`,
  }
}

const textsOf = (strings: Arrangement['searchNames']) => {
  const reader = new PackedReader(strings)
  return Array.from(strings.starts, (_, row) => reader.get(row))
}

/** Everything of an arrangement, as plain values. */
function partsOf({ definition, searchNames, firstTags, rowTable, ...rest }: Arrangement) {
  const { credentials, sources, count } = definition
  const ids = new PackedReader(definition.ids)
  const index = new RowIndex(rowTable)
  const firstTag = textsOf(firstTags.tags)
  return {
    ...rest,
    count,
    monitors: monitorsOf(definition),
    credentials: Array.from(credentials.of, (number) => credentials.values[number]),
    sources: Array.from(sources.of, (number) => sources.values[number]),
    searchNames: textsOf(searchNames),
    firstTags: Array.from(definition.tags.of, (list) => firstTag[firstTags.ofList[list]!]),
    rows: Array.from({ length: count }, (_, row) => index.find(ids.get(row), ids)),
    rowTable,
    head: headOf(definition),
  }
}

const oneMonitor = [{ name: 'one', check: { type: 'tcp', config: { host: 'a', port: 1 } } }]

async function kept(files: Record<string, string> = filesOf(oneMonitor)) {
  const folder = temporaryFolder(files)
  const data = temporaryFolder()
  const path = data.path('fleet.snapshot')
  const read = await readFiles([folder.root], environment)
  keep(path, read)
  return {
    folder,
    path,
    read,
    readAgain: () => readKept(path, [folder.root]),
    [Symbol.dispose]() {
      folder[Symbol.dispose]()
      data[Symbol.dispose]()
    },
  }
}

describe('a snapshot of fleet files', () => {
  it('is equal, part by part, to what the files say', { tags: 'long' }, async () => {
    await fc.assert(
      fc.asyncProperty(fleets, async (monitors) => {
        using fleet = await kept(filesOf(monitors))
        const found = await fleet.readAgain()
        expect(partsOf(found!.arrangement)).toEqual(partsOf(fleet.read.arrangement))
        expect(found!.facts).toEqual(fleet.read.facts)
      }),
      { numRuns: 60 },
    )
  })

  it('holds no value of a credential, and only its owner may read it', async () => {
    using fleet = await kept(
      filesOf([{ name: 'a', check: { type: 'icmp', config: { host: { credential: 'word' } } } }]),
    )
    expect(readFileSync(fleet.path).includes(environment.WORD)).toBe(false)
    expect(statSync(fleet.path).mode & 0o777).toBe(0o600)
  })

  it.each<[string, (files: ReturnType<typeof temporaryFolder>) => void]>([
    [
      'a byte is another one',
      (files) => files.write('b.ndjson', filesOf(oneMonitor)['b.ndjson']!.replace('"a"', '"b"')),
    ],
    ['a byte is added', (files) => files.write('b.ndjson', `${filesOf(oneMonitor)['b.ndjson']}\n`)],
    ['a file is added', (files) => files.write('c.yaml', '')],
  ])('is not used when %s, and is removed', async (_, change) => {
    using fleet = await kept()
    change(fleet.folder)
    expect(await fleet.readAgain()).toBeNull()
    expect(existsSync(fleet.path)).toBe(false)
  })

  it('is not used for the same files in another order', async () => {
    using folder = temporaryFolder({
      'a.ndjson': '{"name":"a","check":{"type":"icmp","config":{"host":"a"}}}',
      'b.yaml': '',
    })
    const path = folder.path('fleet.snapshot')
    const [one, other] = [folder.path('a.ndjson'), folder.path('b.yaml')]
    keep(path, await readFiles([one, other]))
    expect(await readKept(path, [one, other])).not.toBeNull()
    expect(await readKept(path, [other, one])).toBeNull()
  })

  it('is not used by another version of the program, with other drivers, or where a fleet may not be empty', async () => {
    const { tcp: _, ...others } = driverShapes.checks as Record<string, (typeof driverShapes.checks)[string]>
    const keys = (paths: string[]) => [
      fleetKey(paths, true, { ...driverShapes, checks: others }),
      fleetKey(paths, false, driverShapes),
      fleetKey(paths, true, driverShapes, { version: '0.0.0' }),
    ]
    for (const number of [0, 1, 2]) {
      using fleet = await kept()
      const key = keys([fleet.folder.root])[number]!
      const files = fleet.read.facts.files.map(({ path }) => path)
      expect(readFleetSnapshot(fleet.path, key, files)).toBeNull()
    }
  })

  it('is not used when it is cut off, damaged or not a snapshot, and is removed', async () => {
    using fleet = await kept()
    const whole = readFileSync(fleet.path)
    using data = temporaryFolder()
    const path = data.path('fleet.snapshot')
    const expectRefused = async (content: Buffer) => {
      data.write('fleet.snapshot', content)
      expect(await readKept(path, [fleet.folder.root])).toBeNull()
      expect(existsSync(path)).toBe(false)
    }
    for (let bytes = 0; bytes < whole.length; bytes += 97) await expectRefused(whole.subarray(0, bytes))
    for (let at = 0; at < whole.length; at += 89) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 0x10
      await expectRefused(damaged)
    }
    await expectRefused(Buffer.from('{"monitors":[]}'))
    data.write('fleet.snapshot', whole)
    expect(await readKept(path, [fleet.folder.root])).not.toBeNull()
  })

  it('is not used when it cannot be read or removed', async () => {
    using fleet = await kept()
    using data = temporaryFolder({ 'fleet.snapshot/a-file': 'in a folder of that name' })
    expect(await readKept(data.path('fleet.snapshot'), [fleet.folder.root])).toBeNull()
  })

  it('is not written when its monitors were changed meanwhile, and the one before it stays', async () => {
    using fleet = await kept()
    const before = readFileSync(fleet.path)
    expect(keep(fleet.path, fleet.read, () => true)).toBe(false)
    expect(readFileSync(fleet.path)).toEqual(before)
    expect(existsSync(`${fleet.path}.unfinished`)).toBe(false)
  })

  it('is whole or missing after its writer was killed at any moment', {
    tags: 'long',
  }, async () => {
    const line = (number: number) => `{"name":"m${number}","check":{"type":"icmp","config":{"host":"a"}}}\n`
    const text = Array.from({ length: 5_000 }, (_, number) => line(number)).join('')
    using folder = temporaryFolder({ 'fleet.ndjson': text })
    const [file, path] = [folder.path('fleet.ndjson'), folder.path('fleet.snapshot')]
    const expected = partsOf((await readFiles([file])).arrangement)
    for (let times = 1; times <= 4; times++) {
      await killedAfter(times, file, path)
      const found = await readKept(path, [file])
      expect(found).not.toBeNull()
      expect(partsOf(found!.arrangement)).toEqual(expected)
    }
  })
})

/** Kills it as soon as it has written so many, which is while it writes the next one. */
async function killedAfter(times: number, file: string, path: string): Promise<void> {
  const script = new URL('write-again-and-again.fixture.ts', import.meta.url)
  const child: ChildProcess = spawn(process.execPath, [script.pathname, file, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let told = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    told += text
    if (told.split('\n').length > times) child.kill('SIGKILL')
  })
  await once(child, 'exit')
}

it('keeps status pages', async () => {
  const page =
    'status_pages: { shop: { title: S, host: s.example, groups: [{ name: G, components: [{ id: a, name: A, match: { team: a } }] }] } }'
  const one =
    'monitors: [{ name: a, labels: { team: a }, check: { type: tcp, config: { host: a, port: 1 } } }]'
  using folder = temporaryFolder({ 'a.yaml': `${page}\n${one}\n` })
  const read = await readFiles([folder.root])
  const path = folder.path('fleet.snapshot')
  expect(keep(path, read)).toBe(true)
  const kept = await readFleetSnapshot(
    path,
    read.facts.key,
    read.facts.files.map(({ path }) => path),
  )
  expect(kept?.arrangement.definition.statusPages).toEqual(read.arrangement.definition.statusPages)
  expect(kept?.arrangement.definition.statusPages.get('shop')?.host).toBe('s.example')
})
