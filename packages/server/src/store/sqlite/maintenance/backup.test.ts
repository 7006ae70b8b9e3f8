// Backup, verify and restore with real files, beside a store in use.
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { batch, deletion, event, identity, operation, resource } from '@pulseward/testing/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dataDirectory } from '../../data-directory.ts'
import type { ResourceWrite } from '../../resource.ts'
import type { CommitBatch } from '../../store.ts'
import { bringForward, formatSteps } from '../format.ts'
import { batchRows } from '../record-tables.ts'
import { SqliteStore } from '../sqlite-store.ts'
import { StoreEngine } from '../store-engine.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'
import { verifyStore } from './verify.ts'

let folder: TemporaryFolder
let directory: string
let file: string
beforeEach(() => {
  folder = temporaryFolder()
  directory = folder.path('data')
  file = folder.path('backup.db')
})
afterEach(() => folder[Symbol.dispose]())

const now = Date.UTC(2026, 0, 1)

function open(where = directory) {
  const engine = new StoreEngine(where)
  return {
    engine,
    commit: (given: CommitBatch) => engine.commit(batchRows(given, now)).position,
    position: () => engine.recover(0).position,
    [Symbol.dispose]: () => engine.close(),
  }
}

const events = (count: number) =>
  batch({ identities: [identity(1)], events: Array.from({ length: count }, () => event(1)) })

describe('a backup', () => {
  it('holds what was committed before it, while the owner goes on committing', async () => {
    await using store = await SqliteStore.open({ directory, now: () => now })
    await store.commit(events(300))
    expect((await store.usage()).lastBackup).toBeNull()
    const committing = (async () => {
      for (let round = 0; round < 20; round++) await store.commit(events(10))
    })()
    const { problems, position } = await backUp(directory, file, now)
    await committing
    expect(problems).toEqual([])
    expect(position).toBeGreaterThanOrEqual(300)
    expect((await store.usage()).lastBackup).toEqual({ at: now, verified: true })
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    expect(verifyStore(file)).toMatchObject({ problems: [], position, events: position })
    expect(readdirSync(folder.root).sort()).toEqual(['backup.db', 'data'])
  })

  it('of a damaged store is refused, recorded and leaves no file', async () => {
    const store = open()
    store.commit(events(1))
    store.engine.close()
    const { database } = dataDirectory(directory)
    const bytes = readFileSync(database, 'latin1')
    writeFileSync(database, bytes.replaceAll('incident_opened', 'incident_closed'), 'latin1')
    expect((await backUp(directory, file, now)).problems).not.toEqual([])
    expect(readdirSync(folder.root)).toEqual(['data'])
    using again = open()
    expect(again.engine.usage().lastBackup).toEqual({ at: now, verified: false })
  })

  it('never overwrites a file', async () => {
    open().engine.close()
    writeFileSync(file, 'precious')
    await expect(backUp(directory, file, now)).rejects.toThrow(/exists already/)
    expect(readFileSync(file, 'utf8')).toBe('precious')
  })

  it('of nothing is refused', async () => {
    await expect(backUp(directory, file, now)).rejects.toThrow(/There is no store in/)
    expect(existsSync(directory)).toBe(false)
  })
})

describe('managed resources', () => {
  const write = (...resources: ResourceWrite[]) => batch({ resources })

  it('are in a backup with their past and their operations, and verify counts them', async () => {
    using store = open()
    const labels = { team: 'payments' }
    store.commit(write(resource('shop', 1, { labels }), resource('ops', 2, { kind: 'NotificationEndpoint' })))
    store.commit(batch({ resources: [resource('shop', 3)], operations: [operation(1), operation(2)] }))
    const counts = { problems: [], resources: 2, pastResources: 1, operations: 2 }
    expect(await backUp(directory, file, now)).toMatchObject(counts)
    store.commit(write(deletion('shop', 4)))
    const elsewhere = folder.path('elsewhere')
    await restore({ file, directory: elsewhere, force: false, now })
    await using restored = await SqliteStore.open({ directory: elsewhere, now: () => now })
    const list = { kind: 'Monitor', afterId: null, limit: 9, selector: null } as const
    expect(await restored.listResources({ ...list, upToChange: 3 })).toMatchObject({
      resources: [resource('shop', 3)],
    })
    expect(await restored.listResources({ ...list, upToChange: 2 })).toMatchObject({
      resources: [resource('shop', 1, { labels })],
    })
    expect(await restored.readOperation(2)).toEqual(operation(2))
    expect(verifyStore(dataDirectory(elsewhere).database)).toMatchObject(counts)
  })

  it('have versions that no other life of the store has: every restore raises the epoch', async () => {
    const epochOf = (where: string) => {
      using store = open(where)
      store.commit(write(resource('shop', store.engine.recover(0).lastChange + 1)))
      return store.engine.recover(0).epoch
    }
    const first = epochOf(directory)
    await backUp(directory, file, now)
    expect(epochOf(directory)).toBe(first)
    const epochs = [first]
    // The same backup more than once: their lives count the same changes.
    for (const name of ['one', 'two', 'three']) {
      await restore({ file, directory: folder.path(name), force: false, now })
      epochs.push(epochOf(folder.path(name)))
      expect(epochs.at(-1)).toBeGreaterThan(first)
      expect(epochOf(folder.path(name))).toBe(epochs.at(-1))
    }
    expect(new Set(epochs).size).toBe(4)
  })
})

describe('a restore', () => {
  beforeEach(async () => {
    using store = open()
    store.commit(events(5))
    await backUp(directory, file, now)
    store.commit(events(2))
  })

  it('fills an empty directory', async () => {
    const elsewhere = folder.path('elsewhere')
    expect(await restore({ file, directory: elsewhere, force: false, now })).toMatchObject({
      keptAside: null,
    })
    using store = open(elsewhere)
    expect(store.position()).toBe(5)
  })

  it('tells the next run of which time it is, until that has committed', async () => {
    const elsewhere = folder.path('elsewhere')
    await restore({ file, directory: elsewhere, force: false, now: now + 5_000 })
    for (const _start of [1, 2]) {
      using unused = open(elsewhere)
      expect(unused.engine.recover(0).restoredFrom).toEqual({ backupAt: now })
    }
    using store = open(elsewhere)
    store.commit(events(1))
    expect(store.engine.recover(0).restoredFrom).toBeNull()
    using original = open()
    expect(original.engine.recover(0).restoredFrom).toBeNull()
  })

  it('brings a backup of an earlier format forward', async () => {
    const early = new DatabaseSync(folder.path('early.db'))
    bringForward(early, formatSteps.slice(0, 1))
    early.exec('UPDATE log SET committed_at = 77')
    early.close()
    const elsewhere = folder.path('elsewhere')
    await restore({ file: folder.path('early.db'), directory: elsewhere, force: false, now })
    using store = open(elsewhere)
    expect(store.engine.recover(0).restoredFrom).toEqual({ backupAt: 77 })
  })

  it('refuses to replace a store unless it is told to, and then keeps it aside', async () => {
    await expect(restore({ file, directory, force: false, now })).rejects.toThrow(/pass --force/)
    const { keptAside } = await restore({ file, directory, force: true, now })
    expect(verifyStore(join(keptAside!, 'pulseward.db'))).toMatchObject({ problems: [], position: 7 })
    using store = open()
    expect(store.position()).toBe(5)
  })

  it('refuses a directory that is in use', async () => {
    using store = open()
    await expect(restore({ file, directory, force: true, now })).rejects.toMatchObject({ problem: 'locked' })
    expect(store.commit(events(1))).toBe(8)
  })

  it('changes nothing for a file that is not right', async () => {
    writeFileSync(file, readFileSync(file).subarray(0, 20_000))
    const { verdict } = await restore({ file, directory, force: true, now })
    expect(verdict.problems).not.toEqual([])
    using store = open()
    expect(store.position()).toBe(7)
  })

  it('that was interrupted is never taken for a new store', async () => {
    const { restoring } = dataDirectory(folder.path('half'))
    await restore({ file, directory: folder.path('half'), force: false, now })
    const { database } = dataDirectory(folder.path('half'))
    renameSync(database, restoring)
    expect(() => open(folder.path('half'))).toThrow(/a restore was interrupted/)
    await restore({ file, directory: folder.path('half'), force: false, now })
    using store = open(folder.path('half'))
    expect(store.position()).toBe(5)
  })
})

describe('a backup of an earlier format', () => {
  it.each([1, 2])('verifies, restores and gets what came later when it is opened (%i)', async (format) => {
    {
      using database = new DatabaseSync(file)
      bringForward(database, formatSteps.slice(0, format))
    }
    expect(verifyStore(file)).toMatchObject({ problems: [], position: 0, events: 0 })
    await restore({ file, directory, force: false, now })
    await using store = await SqliteStore.open({ directory, now: () => now })
    expect(store.identity.key).toHaveLength(32)
    expect((await store.commit(events(3))).position).toBe(3)
  })
})
