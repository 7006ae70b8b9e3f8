// The service over fleet files that are large enough for a snapshot: what a start takes from it, and when it is written.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { eventually, temporaryFolder } from '@pulseward/testing'
import { monitorsOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { type App, startApp } from '../../app.ts'
import { FleetFileError } from '../../config/fleet-file/load-fleet.ts'
import { resolveSettings } from '../../config/settings/resolve-settings.ts'
import { systemClock } from '../../platform/clock.ts'
import { type Log, silentLog } from '../../telemetry/log.ts'
import { LoadThreads, loadArrangement } from '../load-arrangement.ts'
import { monitorsAtLeast } from './fleet-snapshot.ts'

const head = 'credentials: { word: { env: WORD } }\n'
const line = (number: number) =>
  `{"id":"m-${number}","name":"Monitor ${number}","enabled":false,"check":{"type":"icmp","config":{"host":"h-${number}"}}}\n`
const lines = (count: number) => Array.from({ length: count }, (_, number) => line(number)).join('')
const files = (count = monitorsAtLeast) => ({ 'fleet/a.yaml': head, 'fleet/b.ndjson': lines(count) })
const environment = { WORD: 'hunter2' }

type Folder = ReturnType<typeof temporaryFolder>

function start(folder: Folder, more: NodeJS.ProcessEnv = {}, log: Log = silentLog): Promise<App> {
  const given = {
    ...environment,
    PULSEWARD_DATA: folder.path('data'),
    PULSEWARD_CONFIG: folder.path('fleet'),
    PULSEWARD_LISTEN: '127.0.0.1:0',
    ...more,
  }
  const { values: settings } = resolveSettings({ flags: new Map(), environment: given, file: null })
  return startApp({ settings, token: null, environment: given, clock: systemClock, log })
}

const snapshotOf = (folder: Folder) => folder.path('data/fleet.snapshot')

/** Told apart by its number: one that is written again is another file. */
const fileNumber = (folder: Folder) => statSync(snapshotOf(folder), { throwIfNoEntry: false })?.ino ?? null

async function startAndStop(folder: Folder, more: NodeJS.ProcessEnv = {}): Promise<number> {
  await using app = await start(folder, more)
  return app.monitors
}

/** As a start reads the files. */
async function load(
  folder: Folder,
  snapshotPath: string | null,
  given: NodeJS.ProcessEnv = environment,
  allowEmpty = false,
) {
  await using threads = new LoadThreads()
  const request = { paths: [folder.path('fleet')], allowEmpty, environment: given, before: null }
  return await loadArrangement({ ...request, snapshotPath }, threads)
}

const refusal = (loading: Promise<unknown>) =>
  loading.then(
    () => null,
    (error: unknown) => (error instanceof FleetFileError ? error.mistakes : error),
  )

describe('a start over fleet files', () => {
  it('leaves a snapshot when it stops, and the next one uses it and leaves it alone', async () => {
    using folder = temporaryFolder(files())
    expect(await startAndStop(folder)).toBe(monitorsAtLeast)
    const written = fileNumber(folder)
    expect(written).not.toBeNull()
    const fromSnapshot = await load(folder, snapshotOf(folder))
    const fromFiles = await load(folder, null)
    expect(fromSnapshot.unkept).toBeNull()
    expect(monitorsOf(fromSnapshot.arrangement.definition)).toEqual(
      monitorsOf(fromFiles.arrangement.definition),
    )
    expect(fromSnapshot.credentials).toEqual(fromFiles.credentials)
    expect(fromSnapshot.files).toEqual(fromFiles.files)
    expect(await startAndStop(folder)).toBe(monitorsAtLeast)
    expect(fileNumber(folder)).toBe(written)
    expect(readFileSync(snapshotOf(folder)).includes(environment.WORD)).toBe(false)
  })

  it('does so in the edition next, where it may be empty', { tags: 'long' }, async () => {
    using folder = temporaryFolder(files())
    const next = { PULSEWARD_EDITION: 'next' }
    await startAndStop(folder, next)
    const written = fileNumber(folder)
    expect((await load(folder, snapshotOf(folder), environment, true)).unkept).toBeNull()
    expect(await startAndStop(folder, next)).toBe(monitorsAtLeast)
    expect(fileNumber(folder)).toBe(written)
  })

  it('takes files that changed as they are, and leaves a snapshot of those', { tags: 'long' }, async () => {
    using folder = temporaryFolder(files())
    await startAndStop(folder)
    folder.write('fleet/b.ndjson', lines(monitorsAtLeast + 1))
    expect(await startAndStop(folder)).toBe(monitorsAtLeast + 1)
    expect((await load(folder, snapshotOf(folder))).unkept).toBeNull()
  })

  it('refuses what it would refuse without a snapshot, in the same words', { tags: 'long' }, async () => {
    using folder = temporaryFolder(files())
    await startAndStop(folder)
    const expected = await refusal(load(folder, null, {}))
    expect(expected).toMatchObject([
      { line: 1, message: 'the environment variable WORD is not set; set it where the service runs.' },
    ])
    expect(await refusal(load(folder, snapshotOf(folder), {}))).toEqual(expected)
    await expect(start(folder, { WORD: '' })).rejects.toBeInstanceOf(FleetFileError)
    // The files did not change, so what was refused for another reason starts from it again.
    expect((await load(folder, snapshotOf(folder))).unkept).toBeNull()
  })

  it('takes no notice of a snapshot that is damaged', { tags: 'long' }, async () => {
    using folder = temporaryFolder(files())
    await startAndStop(folder)
    folder.write('data/fleet.snapshot', 'not a snapshot')
    const loaded = await load(folder, snapshotOf(folder))
    expect(loaded.arrangement.definition.count).toBe(monitorsAtLeast)
    expect(existsSync(snapshotOf(folder))).toBe(false)
  })

  it('has a new snapshot after a reload, also of one that comes before the first was written', {
    tags: 'long',
  }, async () => {
    using folder = temporaryFolder(files())
    {
      await using app = await start(folder)
      folder.write('fleet/b.ndjson', lines(monitorsAtLeast + 5).replace('h-7"', 'other"'))
      expect(await app.reload()).toMatchObject({ applied: true, report: { added: 5, changed: 1 } })
      await eventually(async () => expect(fileNumber(folder)).not.toBeNull())
    }
    const fromSnapshot = await load(folder, snapshotOf(folder))
    const fromFiles = await load(folder, null)
    expect(fromSnapshot.unkept).toBeNull()
    expect(monitorsOf(fromSnapshot.arrangement.definition)).toEqual(
      monitorsOf(fromFiles.arrangement.definition),
    )
  })

  it('says that the snapshot of a reload could not be written, and goes on', { tags: 'long' }, async () => {
    using folder = temporaryFolder(files())
    const warnings: string[] = []
    await using app = await start(
      folder,
      {},
      { ...silentLog, warn: (words: unknown) => void warnings.push(String(words)) },
    )
    // Nothing can be renamed to a folder that holds something.
    folder.write('data/fleet.snapshot/in-the-way', '')
    expect(await app.reload()).toMatchObject({ applied: true })
    await eventually(async () =>
      expect(warnings).toContainEqual(
        expect.stringContaining('the snapshot of the fleet files was not written'),
      ),
    )
  })

  it.each([
    ['the store is in memory', { PULSEWARD_STORE: 'memory' }, monitorsAtLeast],
    ['the edition keeps nothing', { PULSEWARD_EDITION: 'main' }, monitorsAtLeast],
    ['the fleet is small', {}, monitorsAtLeast - 1],
  ])('leaves none when %s', { tags: 'long' }, async (_, more, count) => {
    using folder = temporaryFolder(files(count))
    expect(await startAndStop(folder, more)).toBe(count)
    expect(fileNumber(folder)).toBeNull()
  })

  it('makes no store for files that are refused', { tags: 'long' }, async () => {
    using folder = temporaryFolder({ 'fleet/a.yaml': 'monitors: [{}]' })
    await expect(start(folder)).rejects.toBeInstanceOf(FleetFileError)
    expect(existsSync(folder.path('data'))).toBe(false)
  })

  it('gives the store back when files are refused beside it', { tags: 'long' }, async () => {
    using folder = temporaryFolder(files())
    await startAndStop(folder)
    folder.write('fleet/b.ndjson', '{}\n')
    await expect(start(folder)).rejects.toBeInstanceOf(FleetFileError)
    folder.write('fleet/b.ndjson', lines(3))
    expect(await startAndStop(folder)).toBe(3)
  })
})
