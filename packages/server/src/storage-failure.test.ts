// The whole service, as a process on real files, when its disk is full, its store is taken away or damaged, or it is
// not alone: it starts nothing that it cannot write down, says so, and never goes on with an empty store.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import {
  type CommandOptions,
  onReadOnlyDisk,
  onSmallDisk,
  runCommand,
  ServiceOnFiles,
  SmallDisk,
  serveWords,
  whyNoSmallDisk,
} from '@pulseward/testing/process'
import { batch, event, identity } from '@pulseward/testing/store'
import { describe, it, type TestContext } from 'vitest'
import { type DataDirectory, dataDirectory } from './store/data-directory.ts'
import { SqliteStore } from './store/sqlite/sqlite-store.ts'

const soon = { interval: 50 }
/** Long enough for two checks and for several attempts to write. */
const aWhileMs = 2_200

const opened = ['incident_opened', 'action_queued red ops', 'action_started red ops']
const toldOfIt = [...opened, 'action_succeeded red ops accepted']
const closed = ['incident_closed recovered', 'action_queued green ops', 'action_started green ops']
const toldOfBoth = [...toldOfIt, ...closed, 'action_succeeded green ops accepted']

interface Place extends Disposable {
  readonly folder: TemporaryFolder
  readonly files: DataDirectory
}

function newPlace(): Place {
  const folder = temporaryFolder({ 'fleet.json': '{"monitors":[]}' })
  return { folder, files: dataDirectory(folder.path('data')), [Symbol.dispose]: folder[Symbol.dispose] }
}

/** With an event in it, closed in good order. */
async function leaveAStore({ root }: DataDirectory): Promise<void> {
  await using store = await SqliteStore.open({ directory: root, now: Date.now })
  await store.commit(batch({ identities: [identity(1)], events: [event(1, { type: 'incident_opened' })] }))
}

function serveOnce({ folder, files }: Pick<Place, 'folder' | 'files'>, options: CommandOptions = {}) {
  const words = ['serve', '--listen', '127.0.0.1:0', '--allow-empty']
  return runCommand([...words, ...serveWords(folder.path('fleet.json'), files.root)], options)
}

function damage(files: DataDirectory, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(files.database)
  edit(bytes)
  writeFileSync(files.database, bytes)
}

/** Nothing is checked and no notification is sent for a while. */
async function standsStill({ target, provider }: ServiceOnFiles): Promise<boolean> {
  const calls = () => target.acceptedSockets + provider.acceptedSockets
  const before = calls()
  await after(aWhileMs)
  return calls() === before
}

/** What every answer about the fleet says of its age. */
async function shownOf(service: ServiceOnFiles) {
  const [overview, monitors, incidents] = await Promise.all(
    ['overview', 'monitors', 'incidents'].map(async (path) => (await service.get(path)).body),
  )
  const { body: detail } = await service.get(`monitors/${monitors.monitors[0].id}`)
  const map = await fetch(`${service.command.url}/api/v1/map`)
  const header = map.headers.get('pulseward-stale')
  const rows = [...monitors.monitors, ...incidents.incidents, detail]
  return {
    generated: overview.generated as string,
    nextChecks: new Set(rows.map(({ next_check }) => next_check)),
    reasons: [
      ...[overview, monitors, incidents, detail].map(({ stale }) => stale?.reason ?? null),
      header?.split(';')[0] ?? null,
    ],
  }
}

describe.concurrent('a full disk', () => {
  it('stops checks and actions, is told, and is over by itself when there is space', async ({
    expect,
    skip,
  }) => {
    using place = newPlace()
    const { folder } = place
    const mountPoint = folder.path('disk')
    mkdirSync(mountPoint)
    const problem = whyNoSmallDisk(mountPoint)
    if (problem !== null) return skip(problem)
    await using service = await ServiceOnFiles.start({
      data: folder.path('disk/data'),
      through: onSmallDisk(mountPoint, 16 * 1024 * 1024),
    })
    const disk = new SmallDisk(service.command.pid, mountPoint)
    service.breakTarget()
    await expect.poll(() => service.story(), soon).toEqual(toldOfIt)
    const { committed_position: position } = (await service.get('state')).body.storage

    disk.fill()
    service.mendTarget()
    await expect.poll(() => service.readiness(), soon).toEqual(['storage_unavailable'])
    expect(await standsStill(service)).toBe(true)
    const { storage } = (await service.get('state')).body
    expect(storage).toMatchObject({ ready: false, error: 'the disk is full', committed_position: position })
    const shown = await shownOf(service)
    expect(shown.reasons).toEqual(Array(5).fill('storage_unavailable'))
    expect(shown.nextChecks).toEqual(new Set([null]))
    await after(aWhileMs)
    expect(await shownOf(service)).toEqual(shown)
    expect(await service.story()).toEqual(toldOfIt)

    disk.free()
    await expect.poll(() => service.readiness(), soon).toEqual([])
    const again = await shownOf(service)
    expect(again.reasons).toEqual(Array(5).fill(null))
    expect(Date.parse(again.generated)).toBeGreaterThan(Date.parse(shown.generated))
    await expect.poll(() => service.story(), soon).toEqual(toldOfBoth)
    expect(service.provider.requests).toHaveLength(2)
    service.breakTarget()
    await expect.poll(() => service.story(), soon).toEqual([...toldOfBoth, ...toldOfIt])
    expect((await service.get('state')).body.storage).toMatchObject({ ready: true, error: null })

    disk.fill()
    service.mendTarget()
    await expect.poll(() => service.readiness(), soon).toEqual(['storage_unavailable'])
    service.command.signal('SIGTERM')
    expect((await service.command.ended).code).toBe(0)
  })
})

describe.concurrent('a store that is taken away while it is in use', () => {
  it('stops checks and actions until a restart, which does not begin with an empty one', {
    tags: 'long',
  }, async ({ expect }) => {
    using place = newPlace()
    const { files } = place
    await using service = await ServiceOnFiles.start({ data: files.root })
    service.breakTarget()
    await expect.poll(() => service.story(), soon).toEqual(toldOfIt)
    rmSync(files.database)
    service.mendTarget()
    await expect.poll(() => service.readiness(), soon).toEqual(['storage_unavailable'])
    expect(await standsStill(service)).toBe(true)
    const { storage } = (await service.get('state')).body
    expect(storage).toMatchObject({ ready: false, error: 'a file of the store was removed or replaced' })
    expect((await service.get('overview')).status).toBe(200)
    expect(await service.get('history')).toMatchObject({ status: 503, body: { code: 'history_unavailable' } })
    expect(service.provider.requests).toHaveLength(1)

    service.command.signal('SIGTERM')
    expect((await service.command.ended).code).toBe(0)
    const again = await serveOnce(place)
    expect(again).toMatchObject({ code: 2 })
    expect(again.stderr).toMatch(/the database file is missing/)
  })
})

describe.concurrent('a store that another process has taken over', () => {
  it('ends the service at once with 3 and a sentence, and nothing more is sent', async ({ expect }) => {
    using place = newPlace()
    const { files } = place
    await using service = await ServiceOnFiles.start({ data: files.root })
    service.breakTarget()
    await expect.poll(() => service.story(), soon).toEqual(toldOfIt)
    using database = new DatabaseSync(files.database)
    database.exec("UPDATE log SET run = 'another'")
    service.mendTarget()
    const { code, stdout, stderr } = await service.command.ended
    expect(code).toBe(3)
    expect(`${stdout}${stderr}`).toMatch(/Another process has taken over the store, so this one ends/)
    expect(service.provider.requests).toHaveLength(1)
  })
})

describe.concurrent('a store that is damaged', () => {
  it('is noticed when it is read, and stops checks and actions', { tags: 'long' }, async ({ expect }) => {
    using place = newPlace()
    const { files } = place
    await leaveAStore(files)
    damage(files, (bytes) => bytes.write('incident_Opened', bytes.indexOf('incident_opened')))
    await using service = await ServiceOnFiles.start({ data: files.root })
    expect(await service.get('history')).toMatchObject({ status: 503, body: { code: 'history_unavailable' } })
    await expect.poll(() => service.readiness(), soon).toEqual(['storage_unavailable'])
    expect(await standsStill(service)).toBe(true)
    expect((await service.get('state')).body.storage.error).toBe('the store is damaged')
    expect((await service.get('overview')).status).toBe(200)
  })

  it('ends the start with 2 and what to do', async ({ expect }) => {
    using place = newPlace()
    await leaveAStore(place.files)
    damage(place.files, (bytes) => bytes.fill(0xaa, 8192 * 2))
    const { code, stdout, stderr } = await serveOnce(place)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /^pulseward: .*: The store is damaged; restore a backup with pulseward restore FILE --data DIR\./,
    )
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe.concurrent('a data directory on a read-only file system', () => {
  const places = [
    ['with a store in it', 'disk'],
    ['that is not there yet', 'disk/data'],
    ['in a folder that is not there yet', 'disk/deep/data'],
  ] as const

  async function endsTheStart(
    [what, path]: (typeof places)[number],
    { expect, skip }: TestContext,
  ): Promise<void> {
    using place = newPlace()
    const { folder } = place
    mkdirSync(folder.path('disk'))
    const problem = whyNoSmallDisk(folder.path('disk'))
    if (problem !== null) return skip(problem)
    if (what.includes('store')) await leaveAStore(dataDirectory(folder.path(path)))
    const { code, stdout, stderr } = await serveOnce(
      { ...place, files: dataDirectory(folder.path(path)) },
      { through: onReadOnlyDisk(folder.path('disk')) },
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(
      `pulseward: ${folder.path(path)}: The data directory is on a read-only file system; mount that for writing, or choose another directory with --data. (EROFS)\n`,
    )
  }

  const title = '%s ends the start with 2, and what is the matter'
  it.for(places.slice(0, 2))(title, endsTheStart)
  it.for(places.slice(2))(title, { tags: 'long' }, endsTheStart)
})

it.concurrent('refuses a data directory that another process owns, with 2, and leaves that one alone', {
  tags: 'long',
}, async ({ expect }) => {
  using place = newPlace()
  await using service = await ServiceOnFiles.start({ data: place.files.root })
  const second = await serveOnce(place)
  expect(second.code).toBe(2)
  expect(second.stderr).toMatch(/Another process owns the data directory\. Stop it first/)
  service.breakTarget()
  // On a busy machine a check of the target may have failed before.
  await expect.poll(async () => (await service.story()).slice(-toldOfIt.length), soon).toEqual(toldOfIt)
})
