import { temporaryFolder } from '@pulseward/testing'
import { type MonitorAsLoaded, monitorsOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { FleetFileError } from '../config/fleet-file/load-fleet.ts'
import { SourceError } from '../config/fleet-file/source.ts'
import { type ArrangedBefore, arrange } from './arrangement.ts'
import { type LoadRequest, load, loadArrangement } from './load-arrangement.ts'

const text = `credentials: { token: { env: TOKEN } }
endpoints: { log: { type: log } }
groups: { ops: [log] }
routes: [{ match: { team: a }, colors: [red], groups: [ops] }]
monitors:
  - { id: a, name: grün, tags: [x], labels: { team: a }, check: { type: tcp, config: { host: a, port: 1 } } }
  - id: b
    name: b
    depends_on: [a]
    check: { type: http, config: { url: http://a/, auth: { bearer: { credential: token } } } }
    maintenance: [{ cron: "0 3 * * 0", duration: 1h }]
`
const nothingBefore = async (): Promise<ArrangedBefore> => {
  using folder = temporaryFolder({ 'empty.yaml': '' })
  const { answer } = await load(requestFor(folder.root, null))
  if (answer.kind !== 'loaded') throw new Error(answer.kind)
  return answer.loaded.arrangement
}

function requestFor(path: string, before: ArrangedBefore | null): LoadRequest {
  return { paths: [path], allowEmpty: true, environment: { TOKEN: 'hunter2' }, before }
}

describe('loading an arrangement', () => {
  it('gives the same through a thread as inline', async () => {
    using folder = temporaryFolder({ 'fleet.yaml': text })
    // A reload goes through the thread, and over an empty fleet it adds everything, as a first load does.
    const threaded = await loadArrangement(requestFor(folder.root, await nothingBefore()))
    const inline = await loadArrangement(requestFor(folder.root, null))
    const plain = ({ arrangement, credentials, files }: typeof inline) => ({
      monitors: monitorsOf(arrangement.definition),
      added: [...arrangement.added],
      present: [...arrangement.present],
      heads: [arrangement.definition.endpoints, arrangement.definition.groups, arrangement.definition.routes],
      credentials: [...credentials],
      files,
    })
    expect(plain(threaded)).toEqual(plain(inline))
    expect([...threaded.credentials]).toEqual([['token', 'hunter2']])
    expect(threaded.arrangement.definition.ids.chunks[0]).toBeInstanceOf(SharedArrayBuffer)
  })

  it('arranges over what runs now', async () => {
    using folder = temporaryFolder({ 'fleet.yaml': text })
    const first = await loadArrangement(requestFor(folder.root, null))
    folder.write('fleet.yaml', text.replace('id: a, name: grün', 'id: c, name: neu').replace('[a]', '[c]'))
    const { arrangement } = await loadArrangement(requestFor(folder.root, first.arrangement))
    expect(summary(arrangement)).toEqual({ added: [2], removed: [0], changed: [1], unchanged: 0 })
    expect(monitorsOf(arrangement.definition).map(({ id }: MonitorAsLoaded) => id)).toEqual(['', 'b', 'c'])
  })

  it.each([
    ['inline', async () => null],
    ['through a thread', nothingBefore],
  ])('throws what is wrong with the files, %s', async (_, before) => {
    using folder = temporaryFolder({ 'fleet.yaml': 'monitors:\n  - nmae: a\n' })
    const loadFrom = async (path: string) => loadArrangement(requestFor(path, await before()))
    const error = await loadFrom(folder.root).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(FleetFileError)
    expect((error as FleetFileError).mistakes).toHaveLength(3)
    expect((error as FleetFileError).mistakes[0]).toMatchObject({ line: 2, path: 'monitors[0].nmae' })
    await expect(loadFrom(folder.path('none'))).rejects.toBeInstanceOf(SourceError)
  })

  it('goes through a thread when the files are large', async () => {
    const line = '{"name":"m#","check":{"type":"icmp","config":{"host":"a"}}}\n'
    const lines = Array.from({ length: 20_000 }, (_, number) => line.replace('#', String(number)))
    using folder = temporaryFolder({ 'fleet.ndjson': lines.join('') })
    const { arrangement } = await loadArrangement(requestFor(folder.root, null))
    expect(arrangement.added).toHaveLength(20_000)
    expect(summary(arrange(arrangement.definition, arrangement))).toMatchObject({ unchanged: 20_000 })
  })
})

function summary({ added, removed, changed, unchanged }: Awaited<ReturnType<typeof arrange>>) {
  return { added: [...added], removed: [...removed], changed: [...changed], unchanged }
}
