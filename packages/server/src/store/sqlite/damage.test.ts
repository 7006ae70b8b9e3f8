// Real files that are damaged, removed, or not what they should be.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { batch, event, identity, monitorIdOf, operation, resource } from '@pulseward/testing/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DataDirectory, dataDirectory } from '../data-directory.ts'
import { readLastBackup } from './last-backup.ts'
import { verifyStore } from './maintenance/verify.ts'
import { batchRows } from './record-tables.ts'
import { StoreEngine } from './store-engine.ts'

let folder: TemporaryFolder
let files: DataDirectory
beforeEach(() => {
  folder = temporaryFolder()
  files = dataDirectory(folder.path('data'))
})
afterEach(() => folder[Symbol.dispose]())

const someEvents = batchRows(
  batch({
    identities: [identity(1)],
    events: Array.from({ length: 500 }, (_, index) => event(1, { detail: { number: index } })),
  }),
  Date.now(),
)

function open(): StoreEngine & Disposable {
  const engine = new StoreEngine(files.root)
  return Object.assign(engine, { [Symbol.dispose]: () => engine.close() })
}

function closedStore(): void {
  using store = open()
  store.commit(someEvents)
}

function change(edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(files.database)
  edit(bytes)
  writeFileSync(files.database, bytes)
}

describe('at the start', () => {
  it('keeps everything from other users', () => {
    using _store = open()
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    const { root, database, writeAheadLog, sharedMemory, ownerLock } = files
    expect([root, database, writeAheadLog, sharedMemory, ownerLock].map(mode)).toEqual([
      '700',
      '600',
      '600',
      '600',
      '600',
    ])
  })

  it.for<[what: string, damage: () => void, words: RegExp]>([
    [
      'is empty',
      () => writeFileSync(files.database, ''),
      /damaged; restore a backup .*\(the file is empty\)/,
    ],
    [
      'is no database',
      () => writeFileSync(files.database, 'words'.repeat(9999)),
      /damaged; restore a backup/,
    ],
    ['has a damaged table', () => change((bytes) => bytes.fill(0xaa, 8192 * 2)), /damaged; restore a backup/],
    ['lost its end', () => change((bytes) => bytes.fill(0, 8192)), /damaged; restore a backup/],
    [
      'is of a newer version',
      () => change((bytes) => bytes.writeUInt32BE(99, 60)),
      /newer version.*format is 99/,
    ],
    [
      'is of another program',
      () => change((bytes) => bytes.writeUInt32BE(7, 68)),
      /database of another program/,
    ],
  ])('refuses a store that %s, and leaves it as it is', ([, damage, words]) => {
    closedStore()
    damage()
    const before = readFileSync(files.database)
    expect(open).toThrow(words)
    expect(open).toThrow(expect.objectContaining({ name: 'StoreError', recovers: false }))
    expect(readFileSync(files.database).equals(before)).toBe(true)
  })

  it('refuses commits without the database that they belong to', () => {
    closedStore()
    rmSync(files.database)
    writeFileSync(files.writeAheadLog, 'commits')
    expect(open).toThrow(/last commits are there, but the database file is missing/)
  })

  it('refuses a directory that cannot be one', () => {
    writeFileSync(files.root, 'a file')
    expect(open).toThrow(expect.objectContaining({ problem: 'io' }))
  })

  it('begins again after a start that was interrupted before there was a store', () => {
    mkdirSync(files.root)
    writeFileSync(files.unfinished, 'half')
    using store = open()
    expect(store.commit(someEvents)).toMatchObject({ position: 500 })
  })
})

describe('while it runs', () => {
  it.for<[what: string, remove: () => void]>([
    ['the database file is removed', () => rmSync(files.database)],
    ['the write-ahead log is removed', () => rmSync(files.writeAheadLog)],
    ['the owner lock is removed', () => rmSync(files.ownerLock)],
    ['the directory is moved away', () => renameSync(files.root, `${files.root}-elsewhere`)],
    [
      'the database file is replaced',
      () => {
        renameSync(files.database, `${files.database}.old`)
        writeFileSync(files.database, 'another')
      },
    ],
  ])('notices that %s, and never calls anything committed again', ([, remove]) => {
    using store = open()
    store.commit(someEvents)
    remove()
    for (const _attempt of [1, 2])
      expect(() => store.commit(someEvents)).toThrow(
        expect.objectContaining({ problem: 'gone', recovers: false }),
      )
    expect(() => store.findMonitor(monitorIdOf(1))).toThrow(expect.objectContaining({ problem: 'gone' }))
  })

  it('notices a flipped bit inside an event when it is read', () => {
    closedStore()
    change((bytes) => {
      const place = bytes.indexOf('"number":77')
      bytes.write('7', place + '"number":'.length + 1)
      bytes.write('8', place + '"number":'.length)
    })
    using store = open()
    const query = { monitorId: null, order: 'asc', upTo: 500, after: null, limit: 500 } as const
    expect(() => store.readEvents(query)).toThrow(/event 78: its checksum is wrong/)
    expect(verifyStore(files.database).problems).toEqual([
      'A value is damaged: event 78 has another checksum.',
    ])
  })
})

describe('a flipped bit inside', () => {
  const monitors = { kind: 0, upToChange: 2, after: '', limit: 9, selector: null }
  const wasMonitors = { ...monitors, upToChange: 1 }
  const byLabel = { ...monitors, selector: [{ key: 'label', is: 'present' }] } as const

  function storeWithResources(): void {
    using store = open()
    const labels = { label: 'labelled' }
    store.commit(batchRows(batch({ resources: [resource('shop', 1, { name: 'name-first', labels })] }), 1))
    const resources = [
      resource('shop', 2, { name: 'name-second', labels }),
      resource('token', 3, { kind: 'Credential', sealed: Buffer.from('sealed-bytes') }),
    ]
    const events = [
      event(1, { type: 'incident_opened', incidentId: 'incident' }),
      event(1, { type: 'resource_updated', resource: { kind: 'Monitor', id: 'shop', uid: 'uid' } }),
    ]
    const operations = [operation(1, { reason: 'why-not' })]
    store.commit(batchRows(batch({ identities: [identity(1)], events, resources, operations }), 2))
  }

  it.for<[what: string, text: string, found: string, read: (store: StoreEngine) => unknown]>([
    ['a resource', 'name-second', 'resource shop', (store) => store.listResources(monitors)],
    [
      'what is sealed',
      'sealed-bytes',
      'resource token',
      (store) => store.readResources([{ kind: 3, id: 'token' }]),
    ],
    ['the past', 'name-first', 'resource_past 2', (store) => store.listResources(wasMonitors)],
    ['labels', 'labelled', 'label_set 1', (store) => store.listResources(byLabel)],
    ['an operation', 'why-not', 'operation 1', (store) => store.readOperation(1)],
    ['an incident', '"openedAt"', 'incident 1', (store) => store.readIncident('incident')],
  ])('%s is noticed when it is read, and by verify', ([, text, found, read]) => {
    storeWithResources()
    change((bytes) => {
      const place = bytes.indexOf(text)
      bytes[place + 2]! ^= 1
    })
    {
      using store = open()
      expect(() => read(store)).toThrow(/damaged.*its checksum is wrong/)
      expect(() => store.commit(someEvents)).toThrow(/damaged/)
    }
    expect(verifyStore(files.database).problems).toEqual([
      `A value is damaged: ${found} has another checksum.`,
    ])
  })

  it('the figures of resources keeps the store from being opened', () => {
    storeWithResources()
    change((bytes) => {
      const place = bytes.indexOf('"pastForgottenUpTo":0')
      bytes.write('9', place + '"pastForgottenUpTo":'.length)
    })
    expect(open).toThrow(/resource_figures 1: its checksum is wrong/)
    expect(verifyStore(files.database).problems).toHaveLength(1)
  })

  it('where events about resources lie keeps the store from being opened', () => {
    storeWithResources()
    {
      using database = new DatabaseSync(files.database)
      database.exec('UPDATE resource_run SET last = 9')
    }
    expect(open).toThrow(/resource_run 2: its checksum is wrong/)
    expect(verifyStore(files.database).problems).toEqual([
      'A value is damaged: resource_run 2 has another checksum.',
    ])
  })

  it.for<[what: string, sql: string, problem: string]>([
    [
      'labels that are gone',
      'DELETE FROM label_set WHERE number = 1',
      'A value is missing: the labels 1 of resource shop.',
    ],
    [
      'a version that is under another id',
      "UPDATE resource SET id = 'another' WHERE id = 'token'",
      'A value is damaged: resource another has another checksum.',
    ],
    [
      'a change that names another resource',
      "UPDATE resource_change SET id = 'another' WHERE change = 1",
      'A value is damaged: resource_change 1 has another checksum.',
    ],
    [
      'a past that ended otherwise',
      'UPDATE resource_past SET ended_at = 7',
      'A value is damaged: resource_past 2 has another checksum.',
    ],
    [
      'changes that are gone',
      'DELETE FROM resource_change WHERE change > 2',
      'A value is missing: the change 3 of resource token.',
    ],
  ])('and also %s, is found by verify', ([, sql, problem]) => {
    storeWithResources()
    {
      using database = new DatabaseSync(files.database)
      database.exec(sql)
    }
    expect(verifyStore(files.database).problems).toContain(problem)
  })
})

it('is owned by one at a time', () => {
  using _store = open()
  expect(open).toThrow(/Another process owns the data directory\. Stop it first, or choose another/)
})

it('is not given away by anything that reads it', () => {
  using _store = open()
  verifyStore(files.database)
  readLastBackup(files.lastBackup)
  expect(open).toThrow(expect.objectContaining({ problem: 'locked' }))
})
