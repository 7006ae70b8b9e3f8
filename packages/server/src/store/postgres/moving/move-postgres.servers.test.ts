// Moving a store between the embedded store and a real PostgreSQL: there and back, what comparing notices, and what is left
// when a move does not end.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import {
  describeServer,
  type PostgresPlace,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  startPostgresql,
} from '@pulseward/testing/servers'
import {
  batch,
  besideHead,
  besideItem,
  besidePrincipals,
  event,
  fillBeside,
  fillStore,
} from '@pulseward/testing/store'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dataDirectory } from '../../data-directory.ts'
import { compareStores } from '../../moving/compare-stores.ts'
import { type MoveSource, type MoveTarget, UnknownEnd } from '../../moving/movable-store.ts'
import { moveStore } from '../../moving/move-store.ts'
import { over, withoutPart } from '../../moving/move-target.fixture.ts'
import { partNames, parts } from '../../moving/portable-rows.ts'
import { noteOf } from '../../principals-note.ts'
import { openReadableSqlite, openSqliteSource, SqliteTarget } from '../../sqlite/moving/move-sqlite.ts'
import { SqliteStore } from '../../sqlite/sqlite-store.ts'
import { StagingFolder } from '../../sqlite/staging/staging-folder.ts'
import { PostgresStore } from '../postgres-store.ts'
import {
  openPostgresSource,
  openPostgresTarget,
  openReadablePostgres,
  reclaimPostgres,
} from './move-postgres.ts'
import { allColumns, partTables } from './part-tables.ts'

const now = 1_700_000_500_000

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  let filled: TemporaryFolder
  let folder: TemporaryFolder
  let place: PostgresPlace
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    folder = temporaryFolder()
    filled = temporaryFolder()
    place = postgresPlace(server)
    await using store = await openSqlite(filled.root)
    await fillStore(store, { monitors: 300, events: 3_000 })
    fillBeside(filled.root)
  })
  afterEach(() => {
    for (const each of [place, folder, filled]) each[Symbol.dispose]()
  })

  const openSqlite = (directory: string) => SqliteStore.open({ directory, now: () => now })
  const openPostgres = (at = place) =>
    PostgresStore.open({ address: at.address, staging: at.staging, passwordFile: null, now: () => now })
  const at = (one = place) => ({ url: one.url, passwordFile: null })
  const run = async (source: MoveSource, target: MoveTarget, signal = new AbortController().signal) => {
    await using from = source
    await using to = target
    return await moveStore(from, to, { now, signal, onProgress: () => {} })
  }
  const moveThere = async () => await run(openSqliteSource(filled.root), await openPostgresTarget(at()))
  const compareThere = async () => {
    await using left = openReadableSqlite(filled.root)
    await using right = await openReadablePostgres(at())
    return (await compareStores(left, right)).differences
  }
  const tables = () =>
    place.run(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = '${place.address.schema}'`,
    )

  it('is the same there and back, and both go on with it', async () => {
    const rows = await moveThere()
    for (const name of partNames) expect(rows[name], name).toBeGreaterThan(0)
    expect(await compareThere()).toEqual([])

    const back = folder.path('back')
    await run(await openPostgresSource(at()), new SqliteTarget(back))
    {
      await using left = openReadableSqlite(filled.root)
      await using right = openReadableSqlite(back)
      expect((await compareStores(left, right)).differences).toEqual([])
    }
    await using store = await openSqlite(back)
    const { position, restoredFrom } = await store.recover(0)
    expect(restoredFrom).toBeNull()
    expect(await store.commit(batch({ events: [event(1)] }))).toMatchObject({ position: position + 1 })
  })

  it('brings along the principals and what is staged', async () => {
    await moveThere()
    expect(await place.run('SELECT name, body FROM document')).toEqual([
      { name: 'principals', body: besidePrincipals },
    ])
    const back = folder.path('back')
    await run(await openPostgresSource(at()), new SqliteTarget(back))
    expect(readFileSync(dataDirectory(back).principals, 'utf8')).toBe(besidePrincipals)
    using staged = (await new StagingFolder(dataDirectory(back).staging).open(3, 'this one'))!
    expect(staged.head).toEqual({ ...besideHead, touchedAt: 2 })
    expect(staged.ordinalOf(0, 'id-of-b')).toBe(1)
    expect(staged.planned(0, 9)).toEqual([
      { ...besideItem('b'), ordinal: 1, rank: 0, seen: 4, outcome: 'updated' },
      { ...besideItem('a'), ordinal: 0, rank: 1, seen: null, outcome: 'created' },
    ])
  })

  it('takes no note that the principals are elsewhere for principals', async () => {
    writeFileSync(dataDirectory(filled.root).principals, noteOf('postgres://elsewhere'))
    expect((await moveThere()).documents).toBe(0)
  })

  it('leaves other principals in the target alone', async () => {
    await moveThere()
    const back = folder.path('back')
    folder.write('back/principals.json', 'others')
    await expect(run(await openPostgresSource(at()), new SqliteTarget(back))).rejects.toThrow(
      /other principals/,
    )
    expect(readdirSync(back).sort()).toEqual(['owner.lock', 'principals.json'])
    expect(readFileSync(dataDirectory(back).principals, 'utf8')).toBe('others')
  })

  it('goes on in PostgreSQL at once: with its epoch, its identity and the numbers after its own', async () => {
    const { epoch, position, restores } = await recoveredFrom(filled.root)
    await moveThere()
    await using store = await openPostgres()
    const recovered = await store.recover(0)
    expect(recovered).toMatchObject({ epoch, position, restores, restoredFrom: null, lastOperation: 4 })
    const before = await store.listActions({ monitorId: null, after: null, limit: 1 })
    await store.commit(batch({ actions: [{ ...before.actions[0]!.action, id: 'new' }] }))
    const { actions } = await store.listActions({ monitorId: null, after: null, limit: 1 })
    expect(actions[0]).toMatchObject({ number: before.actions[0]!.number + 1, action: { id: 'new' } })
    const found = await store.listResources({
      kind: 'Monitor',
      upToChange: 9_999,
      afterId: null,
      limit: 500,
      selector: [{ key: 'team', is: 'in', values: ['team-7'] }],
    })
    expect(found).toMatchObject({
      resources: expect.arrayContaining([expect.objectContaining({ id: 'monitor-7' })]),
    })
    expect(await store.usage()).toMatchObject({ resources: 300, pastResources: 3 })
  })

  it('is the same in another database', async () => {
    await moveThere()
    using other = postgresPlace(server)
    await run(await openPostgresSource(at()), await openPostgresTarget(at(other)))
    await using left = openReadableSqlite(filled.root)
    await using right = await openReadablePostgres(at(other))
    expect((await compareStores(left, right)).differences).toEqual([])
  })

  it('fills tables that store init has made', async () => {
    {
      await using made = await openPostgresTarget(at())
      await made.putInPlace()
    }
    await moveThere()
    expect(await compareThere()).toEqual([])
  })

  describe('a store in PostgreSQL that was moved away', () => {
    const back = () => folder.path('back')
    beforeEach(async () => {
      await moveThere()
    })

    it('starts no service until it is reclaimed as a restored copy', async () => {
      const { epoch } = await recoveredFrom(place)
      await run(await openPostgresSource(at()), new SqliteTarget(back()))
      await expect(openPostgres()).rejects.toMatchObject({ problem: 'moved' })
      await expect(openPostgres()).rejects.toThrow(`sqlite:${back()}`)
      await reclaimPostgres(at(), now)
      await expect(reclaimPostgres(at(), now)).rejects.toThrow(/was not moved/)
      await using store = await openPostgres()
      const recovered = await store.recover(0)
      expect(recovered.epoch).toBeGreaterThan(epoch)
      expect(recovered.restoredFrom).toEqual({ backupAt: expect.any(Number) })
    })

    it('ends the run of a process that wakes up later', async () => {
      await using frozen = await PostgresStore.open({
        ...{
          address: place.address,
          staging: place.staging,
          passwordFile: null,
          now: () => now,
          beats: false,
        },
      })
      await run(await openPostgresSource(at()), new SqliteTarget(back()))
      await expect(frozen.commit(batch({ events: [event(1)] }))).rejects.toMatchObject({ problem: 'fenced' })
    })

    it('is as it was if the target cannot be put in place', async () => {
      const target = new SqliteTarget(back())
      const failing = over(target, {
        putInPlace: async () => {
          throw new Error('no space')
        },
      })
      await expect(run(await openPostgresSource(at()), failing)).rejects.toThrow('no space')
      await using store = await openPostgres()
      expect(store.mode).toBe('postgres')
    })

    it('is refused while a service uses it, which is not disturbed', async () => {
      await using store = await openPostgres()
      await expect(openPostgresSource(at())).rejects.toMatchObject({ problem: 'locked' })
      await expect(openReadablePostgres(at())).rejects.toMatchObject({ problem: 'locked' })
      await store.commit(batch({ events: [event(1)] }))
    })

    it('lets no service start while it is read', async () => {
      await using _source = await openPostgresSource(at())
      await expect(openPostgres()).rejects.toThrow(/Another process has this store/)
    })

    it('is refused if it is of a newer version', async () => {
      await place.run('UPDATE head SET format = 99')
      await expect(openPostgresSource(at())).rejects.toMatchObject({ problem: 'newer_format' })
      await expect(openPostgresTarget(at())).rejects.toMatchObject({ problem: 'newer_format' })
    })

    it.each([
      ['a token', "UPDATE resource SET tokens = '{}' WHERE id = 'monitor-7'", /column tokens does not fit/],
      ['an action', "UPDATE event SET action_id = 'x' WHERE position = 8", /column action_id does not fit/],
    ])('is refused if an index column lost %s', async (_what, sql, words) => {
      await place.run(sql)
      await expect(run(await openPostgresSource(at()), new SqliteTarget(back()))).rejects.toThrow(words)
      expect(existsSync(dataDirectory(back()).database)).toBe(false)
    })

    it.each([
      ['a part that is missing', 'DELETE FROM push', /^The push record 0 is missing/],
      [
        'a changed row',
        "UPDATE state SET body = body || ' ' WHERE numeric_id = 10",
        /^The state of a monitor 10 has another body/,
      ],
      [
        'an order that was lost',
        'UPDATE event SET position = -8 WHERE position = 8; UPDATE event SET position = 8 WHERE position = 9; UPDATE event SET position = 9 WHERE position = -8',
        /^The event 8 has another/,
      ],
      [
        'an end that is missing',
        'UPDATE incident SET closed = NULL, ended = NULL',
        /^The incident \d+ has another closed, ended in/,
      ],
      [
        'a lost control',
        'UPDATE incident SET handled = handled[2:]',
        /^The incident \d+ has another handled in/,
      ],
    ])('is compared: %s is noticed', async (_what, sql, words) => {
      await place.run(sql)
      expect((await compareThere())[0]).toMatch(words)
    })
  })

  describe('a target in PostgreSQL', () => {
    it('is refused if a service has used it', async () => {
      await (await openPostgres())[Symbol.asyncDispose]()
      await expect(openPostgresTarget(at())).rejects.toThrow(/There is a store in .*DROP SCHEMA/)
    })

    it('is refused for a second copy at the same time', async () => {
      await using _first = await openPostgresTarget(at())
      await expect(openPostgresTarget(at())).rejects.toThrow(/locked by another session/)
    })

    it('is nothing after a copy that was interrupted', async () => {
      const signal = AbortSignal.abort(new Error('stop'))
      const stopped = run(openSqliteSource(filled.root), await openPostgresTarget(at()), signal)
      await expect(stopped).rejects.toThrow('stop')
      expect(await tables()).toEqual([])
    })

    it.each(partNames)('is nothing if a part was not copied: %s', async (forgotten) => {
      const target = await openPostgresTarget(at())
      const forgetful = withoutPart(target, forgotten)
      await expect(run(openSqliteSource(filled.root), forgetful)).rejects.toThrow(
        new RegExp(`The ${parts[forgotten].noun} .* is missing in the second store`),
      )
      expect(await tables()).toEqual([])
    })

    it('is nothing if the connection is lost in the middle, and the copy can be repeated', async () => {
      const target = await openPostgresTarget(at())
      const cut = over(target, {
        write: async (name, rows) => {
          if (name === 'actions') await endSessions()
          await target.write(name, rows)
        },
      })
      await expect(run(openSqliteSource(filled.root), cut)).rejects.toMatchObject({ problem: 'io' })
      expect(await tables()).toEqual([])
      await moveThere()
      expect(await compareThere()).toEqual([])
    })

    it('says that the end is not known if the connection is lost at the end', async () => {
      const target = await openPostgresTarget(at())
      const cut = over(target, {
        putInPlace: async () => {
          await endSessions()
          await target.putInPlace()
        },
      })
      await expect(run(openSqliteSource(filled.root), cut)).rejects.toThrow(UnknownEnd)
      await expect(openSqlite(filled.root)).rejects.toMatchObject({ problem: 'moved' })
      // The same move may be made again.
      await moveThere()
      expect(await compareThere()).toEqual([])
    })

    const endSessions = () =>
      place.run(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'pulseward store'",
      )
  })

  it('leaves no file if a source in PostgreSQL is lost in the middle', async () => {
    await moveThere()
    const source = await openPostgresSource(at())
    await server.kill()
    await expect(run(source, new SqliteTarget(folder.path('back')))).rejects.toMatchObject({ problem: 'io' })
    expect(readdirSync(folder.path('back'))).toEqual(['owner.lock'])
    await server.startAgain()
  })

  it('knows every column of every table', async () => {
    await moveThere()
    // What a store has, not which processes have it, and who is signed in.
    const columns = await place.run<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = '${place.address.schema}' AND table_name NOT IN ('head', 'run', 'process', 'session')
         AND (table_name, column_name) <> ('staged', 'run')`,
    )
    const known = new Set(
      Object.values(partTables).flatMap((part) =>
        allColumns<never>(part as never).map(({ column }) => `${part.table}.${column}`),
      ),
    )
    expect(columns.map((one) => one.place).sort()).toEqual([...known].sort())
  })

  async function recoveredFrom(from: string | PostgresPlace) {
    await using store = typeof from === 'string' ? await openSqlite(from) : await openPostgres(from)
    return await store.recover(0)
  }
})
