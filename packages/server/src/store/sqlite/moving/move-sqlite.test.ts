// Moving a store from one data directory to another: what is copied, what comparing notices, and what is left when a move
// does not end. Moves to PostgreSQL and back are in move-postgres.servers.test.ts.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { batch, earlierFormats, earlierStore, event, fillBeside, fillStore } from '@pulseward/testing/store'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dataDirectory } from '../../data-directory.ts'
import { compareStores } from '../../moving/compare-stores.ts'
import { UnknownEnd } from '../../moving/movable-store.ts'
import { moveStore } from '../../moving/move-store.ts'
import { over, withoutPart } from '../../moving/move-target.fixture.ts'
import { partNames, parts } from '../../moving/portable-rows.ts'
import { retentionMs } from '../../retention.ts'
import { verifyStore } from '../maintenance/verify.ts'
import { SqliteStore } from '../sqlite-store.ts'
import { pathOf, removeOperation } from '../staging/staging-folder.ts'
import { openReadableSqlite, openSqliteSource, reclaimSqlite, SqliteTarget } from './move-sqlite.ts'

const now = 1_700_000_500_000
const amounts = { monitors: 300, events: 3_000 }

let filled: TemporaryFolder
let folder: TemporaryFolder
beforeAll(async () => {
  filled = temporaryFolder()
  await using store = await SqliteStore.open({ directory: filled.root, now: () => now })
  await fillStore(store, amounts)
  fillBeside(filled.root)
})
afterAll(() => filled[Symbol.dispose]())
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const open = (name: string) => SqliteStore.open({ directory: folder.path(name), now: () => now })
const fill = (name: string) => {
  mkdirSync(folder.path(name))
  const [from, to] = [dataDirectory(filled.root), dataDirectory(folder.path(name))]
  copyFileSync(from.database, to.database)
  copyFileSync(from.principals, to.principals)
  cpSync(from.staging, to.staging, { recursive: true })
}
const move = async (from: string, to: string, signal = new AbortController().signal) => {
  await using source = openSqliteSource(folder.path(from))
  await using target = new SqliteTarget(folder.path(to))
  return await moveStore(source, target, { now, signal, onProgress: () => {} })
}
const compare = async (one: string, other: string) => {
  await using left = openReadableSqlite(folder.path(one))
  await using right = openReadableSqlite(folder.path(other))
  return (await compareStores(left, right)).differences
}
const change = (name: string, sql: string) => {
  using database = new DatabaseSync(dataDirectory(folder.path(name)).database)
  database.exec(sql)
}

describe('a moved store', () => {
  it('has every row and answers like its source', async () => {
    fill('from')
    const rows = await move('from', 'to')
    expect(rows).toMatchObject({ identities: 300, pastResources: 3, bulk: 2, outcomes: 2, statements: 2 })
    for (const name of partNames) expect(rows[name], name).toBeGreaterThan(0)
    expect(await compare('from', 'to')).toEqual([])
    expect(verifyStore(dataDirectory(folder.path('to')).database).problems).toEqual([])
    reclaimSqlite(folder.path('from'), now)
    await using one = await open('from')
    await using other = await open('to')
    expect(await answersOf(other)).toEqual(await answersOf(one))
    expect(other.identity).toEqual(one.identity)
    expect(await other.commit(batch({ events: [event(1)] }))).toMatchObject({
      position: (await one.recover(0)).position + 1,
    })
  })

  it('goes on with its history: nothing counts as restored, and versions stay valid', {
    tags: 'long',
  }, async () => {
    fill('from')
    const before = await headOf('from')
    await move('from', 'to')
    await using store = await open('to')
    const { epoch, restores, restoredFrom, lastChange, lastOperation } = await store.recover(0)
    expect({ epoch, restores, lastChange }).toEqual(before)
    expect({ restoredFrom, lastOperation }).toEqual({ restoredFrom: null, lastOperation: 4 })
  })

  it('keeps the positions of a log whose beginning has expired', { tags: 'long' }, async () => {
    const later = 1_700_000_000_000 + retentionMs + 20_000
    {
      await using source = await SqliteStore.open({ directory: folder.path('from'), now: () => later })
      await fillStore(source, amounts)
      await source.retain(later, 5_000)
    }
    await move('from', 'to')
    expect(await compare('from', 'to')).toEqual([])
    await using store = await open('to')
    const query = { monitorId: null, order: 'asc', upTo: 9_999, after: null, limit: 1 } as const
    expect((await store.readEvents(query)).events[0]?.position).toBeGreaterThan(1_000)
  })

  it.each(earlierFormats)('is brought to the present format first (%i)', { tags: 'long' }, async (format) => {
    const { database } = dataDirectory(folder.path('from'))
    mkdirSync(folder.path('from'))
    writeFileSync(database, earlierStore(format))
    await expect(compare('from', 'from')).rejects.toThrow(/earlier version/)
    await move('from', 'to')
    expect(await compare('from', 'to')).toEqual([])
  })
})

describe('the source of a move', () => {
  it('names a staged operation that cannot be read, and is moved without it', async () => {
    fill('from')
    const { staging } = dataDirectory(folder.path('from'))
    const path = pathOf(staging, 4)
    writeFileSync(path, 'no database '.repeat(1_000))
    await expect(move('from', 'to')).rejects.toThrow(`${path} cannot be read; remove it`)
    expect(readdirSync(folder.path('to'))).toEqual(['owner.lock'])
    removeOperation(staging, 4)
    expect(await move('from', 'to')).toMatchObject({ staged: 1 })
  })

  it('starts no service any more, until it is reclaimed as a restored backup', async () => {
    fill('from')
    const { epoch } = await headOf('from')
    await move('from', 'to')
    await expect(open('from')).rejects.toMatchObject({ problem: 'moved' })
    await expect(open('from')).rejects.toThrow(`sqlite:${folder.path('to')}`)
    reclaimSqlite(folder.path('from'), now)
    await using store = await open('from')
    const recovered = await store.recover(0)
    expect(recovered.epoch).toBeGreaterThan(epoch)
    expect(recovered.restoredFrom).not.toBeNull()
    expect(() => reclaimSqlite(folder.path('to'), now)).toThrow(/was not moved/)
  })

  it('is refused by earlier versions too, as one of a newer version', { tags: 'long' }, async () => {
    fill('from')
    await move('from', 'to')
    using database = new DatabaseSync(dataDirectory(folder.path('from')).database)
    expect(database.prepare('PRAGMA user_version').get()!['user_version']).toBeGreaterThan(1_000)
  })

  it('is refused while a service uses it, and so is the target', async () => {
    await using _used = await open('used')
    await expect(move('used', 'to')).rejects.toMatchObject({ problem: 'locked' })
    fill('from')
    await expect(move('from', 'used')).rejects.toMatchObject({ problem: 'locked' })
    await expect(compare('from', 'used')).rejects.toMatchObject({ problem: 'locked' })
  })

  it('is refused if it is damaged, and stays as it was', async () => {
    fill('from')
    change('from', "UPDATE action SET body = replace(body, 'ops', 'oops') WHERE sequence = 7")
    await expect(move('from', 'to')).rejects.toMatchObject({ problem: 'corrupt' })
    await using store = await open('from')
    expect(store.mode).toBe('sqlite')
    expect(readdirSync(folder.path('to'))).toEqual(['owner.lock'])
  })

  it('is refused if events are missing', async () => {
    fill('from')
    change('from', 'DELETE FROM event WHERE position = 500')
    await expect(move('from', 'to')).rejects.toThrow(/it has \d+ events, and its head counts/)
  })

  it('is refused if it is of a newer version, or no store', async () => {
    fill('from')
    change('from', 'PRAGMA user_version = 99')
    await expect(move('from', 'to')).rejects.toMatchObject({ problem: 'newer_format' })
    await expect(move('none', 'to')).rejects.toThrow(/There is no store/)
    mkdirSync(folder.path('other'))
    writeFileSync(dataDirectory(folder.path('other')).database, 'words '.repeat(2_000))
    await expect(move('other', 'to')).rejects.toMatchObject({ problem: 'corrupt' })
  })
})

describe('the target of a move', () => {
  it('is refused if there is a store, which stays as it was', async () => {
    fill('from')
    fill('to')
    change('to', 'UPDATE log SET keeps_until = 5')
    await expect(move('from', 'to')).rejects.toThrow(/There is a store in/)
    expect(await compare('from', 'to')).toEqual(['The head has another keeps until.'])
  })

  it('is nothing after a move that was interrupted', async () => {
    fill('from')
    await expect(move('from', 'to', AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
    expect(readdirSync(folder.path('to'))).toEqual(['owner.lock'])
    await using store = await open('from')
    expect(store.mode).toBe('sqlite')
  })

  it('that a killed move left half is no store, and the move can be repeated', { tags: 'long' }, async () => {
    fill('from')
    mkdirSync(folder.path('to'))
    writeFileSync(dataDirectory(folder.path('to')).copying, 'half of it')
    await expect(open('to')).rejects.toThrow(/did not end; run pulseward store copy again/)
    await move('from', 'to')
    expect(existsSync(dataDirectory(folder.path('to')).copying)).toBe(false)
    await using store = await open('to')
    expect(store.mode).toBe('sqlite')
  })

  it('whose place cannot be taken leaves the source as it was', async () => {
    fill('from')
    {
      await using source = openSqliteSource(folder.path('from'))
      await using target = new SqliteTarget(folder.path('to'))
      const failing = over(target, {
        putInPlace: async () => {
          throw new Error('no space')
        },
      })
      const moved = moveStore(source, failing, {
        ...{ now, signal: new AbortController().signal, onProgress: () => {} },
      })
      await expect(moved).rejects.toThrow('no space')
    }
    await using store = await open('from')
    expect(store.mode).toBe('sqlite')
  })

  it('whose end is unknown leaves the source marked, so that at most one of them starts a service', async () => {
    fill('from')
    {
      await using source = openSqliteSource(folder.path('from'))
      await using target = new SqliteTarget(folder.path('to'))
      const lost = over(target, {
        putInPlace: async () => {
          throw new UnknownEnd(new Error('lost'))
        },
      })
      const moved = moveStore(source, lost, {
        ...{ now, signal: new AbortController().signal, onProgress: () => {} },
      })
      await expect(moved).rejects.toThrow(UnknownEnd)
    }
    await expect(open('from')).rejects.toMatchObject({ problem: 'moved' })
  })
})

describe('the comparison', () => {
  beforeEach(async () => {
    fill('from')
    fill('to')
  })

  it.each<[what: string, sql: string, difference: RegExp]>([
    [
      'a part that was not copied',
      'DELETE FROM push',
      /^The push record 0 is missing in the second store\.$/,
    ],
    [
      'a row that is missing',
      'DELETE FROM incident WHERE opened = (SELECT max(opened) FROM incident)',
      /^The incident \d+ is missing/,
    ],
    [
      'another time',
      'UPDATE event SET at = at + 0.5 WHERE position = 400',
      /^The event 400 has another at in the second store\.$/,
    ],
    [
      'another owner',
      'UPDATE event SET numeric_id = numeric_id + 1 WHERE position = 400',
      /^The event 400 has another numeric id in/,
    ],
    [
      'an order that was lost',
      'UPDATE action SET sequence = -1 WHERE sequence = 3; UPDATE action SET sequence = 3 WHERE sequence = 4; UPDATE action SET sequence = 4 WHERE sequence = -1',
      /^The action 3 has another id,/,
    ],
    [
      'another end',
      'UPDATE bulk SET ended_at = 5 WHERE id = 3',
      /^The bulk operation 3 has another ended at in/,
    ],
    ['another head', 'UPDATE log SET keeps_until = 5', /^The head has another keeps until\.$/],
  ])('notices %s', async (_what, sql, difference) => {
    change('to', sql)
    const [first = ''] = await compare('from', 'to')
    expect(first).toMatch(difference)
  })

  it('notices a row too many', async () => {
    change('from', 'DELETE FROM operation WHERE id = 2')
    expect(await compare('from', 'to')).toEqual(['The operation 2 is only in the second store.'])
  })

  it('stops after ten differences', async () => {
    change('to', 'UPDATE event SET at = at + 1')
    expect(await compare('from', 'to')).toHaveLength(10)
  })

  const notices = 'of a move notices that a part was not copied: %s'
  it.each(partNames.slice(0, 1))(notices, noticesWithout)
  it.each(partNames.slice(1))(notices, { tags: 'long' }, noticesWithout)

  async function noticesWithout(forgotten: (typeof partNames)[number]): Promise<void> {
    await using source = openSqliteSource(folder.path('from'))
    await using target = new SqliteTarget(folder.path('elsewhere'))
    const forgetful = withoutPart(target, forgotten)
    const moved = moveStore(source, forgetful, {
      now,
      signal: new AbortController().signal,
      onProgress: () => {},
    })
    await expect(moved).rejects.toThrow(
      new RegExp(`The ${parts[forgotten].noun} .* is missing in the second store`),
    )
    expect(existsSync(dataDirectory(folder.path('elsewhere')).database)).toBe(false)
  }
})

/** Every table and column of a store is copied, or follows from what is. */
describe('the parts', () => {
  it('cover every table', async () => {
    fill('from')
    using database = new DatabaseSync(dataDirectory(folder.path('from')).database)
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    expect(tables.map(({ name }) => name).sort()).toEqual([...copied, ...derived].sort())
  })
})

const copied = [
  ...[
    'log',
    'store_identity',
    'resource_figures',
    'identity_block',
    'event',
    'incident',
    'action',
    'state',
    'push',
    'escalation',
    'revision',
  ],
  ...[
    'counter_block',
    'slo',
    'dead_destinations',
    'resource',
    'resource_past',
    'resource_change',
    'label_set',
  ],
  ...['operation', 'bulk', 'bulk_outcome', 'execution', 'worker_statement'],
  ...['trend_minute', 'trend_five_minutes', 'trend_hour', 'trend_day', 'trend_open'],
]
/** Chains of events and spans of positions, which are made when events are written. */
const derived = ['event_mark', 'event_heads', 'resource_run']

async function headOf(name: string) {
  await using store = await open(name)
  const { epoch, restores, lastChange } = await store.recover(0)
  return { epoch, restores, lastChange }
}

/** What reads of all kinds return. */
async function answersOf(store: SqliteStore) {
  const {
    identities,
    monitors,
    changedMonitors,
    epoch: _epoch,
    restores: _restores,
    ...recovered
  } = await store.recover(10_000_000)
  const query = { upTo: recovered.position, after: null, limit: 200 } as const
  const lists = ['asc', 'desc'] as const
  return {
    recovered: { ...recovered, restoredFrom: null },
    identities: await Array.fromAsync(identities),
    monitors: await Array.fromAsync(monitors),
    events: await Promise.all(
      [null, 'monitor-1', 'monitor-5'].flatMap((monitorId) =>
        lists.flatMap((order) =>
          [true, false].map((withoutResources) =>
            store.readEvents({ ...query, monitorId, order, withoutResources }),
          ),
        ),
      ),
    ),
    incidents: await store.listIncidents({ ...query, monitorId: null }),
    actions: await store.listActions({ monitorId: null, after: null, limit: 500 }),
    incarnations: await store.readIncarnations(['action-1', 'action-2', 'digest']),
    resources: await store.listResources({
      kind: 'Monitor',
      upToChange: recovered.lastChange - 2,
      afterId: null,
      limit: 700,
      selector: [{ key: 'team', is: 'in', values: ['team-1', 'team-2', 'other'] }],
    }),
    operation: await store.readOperation(2),
    bulk: await store.listBulk({ upTo: 99, after: null, state: null, endedAfter: 0, limit: 10 }),
    outcomes: await store.readOutcomes(3, 0, 10),
    executions: await store.readExecutions(['01-running', '02-ended']),
    statements: await store.readStatements('02-ended'),
    trends: await store.readTrends({ level: 'hour', numericIds: [0, 256], from: 399, to: 402 }),
    usage: await store
      .usage()
      .then(({ historyBytes, resources, pastResources }) => [historyBytes, resources, pastResources]),
  }
}
