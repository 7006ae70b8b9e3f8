// The start of the service on PostgreSQL: what it makes, whom it lets in, and one sentence for each thing that is wrong.
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@pulseward/testing'
import {
  describeServer,
  type PostgresPlace,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  startPostgresql,
} from '@pulseward/testing/servers'
import { batch, event, identity, resource } from '@pulseward/testing/store'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { parsePostgresUrl } from './address.ts'
import { currentFormat } from './format.ts'
import { PostgresStore, type PostgresStoreOptions } from './postgres-store.ts'

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  let place: PostgresPlace
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => {
    place = postgresPlace(server)
  })
  afterEach(() => place[Symbol.dispose]())

  const open = (options: Partial<PostgresStoreOptions> = {}) =>
    PostgresStore.open({
      address: place.address,
      staging: place.staging,
      passwordFile: null,
      now: Date.now,
      ...options,
    })
  const asAnother = (parts: {
    user?: string
    password?: string
    database?: string
    port?: number
    host?: string
  }) => {
    const {
      user = server.user,
      password = server.password,
      database = 'postgres',
      port = server.port,
    } = parts
    const login = `${user}:${encodeURIComponent(password)}`
    const { schema } = place.address
    return parsePostgresUrl(
      `postgres://${login}@${parts.host ?? '127.0.0.1'}:${port}/${database}?schema=${schema}`,
    )
  }

  it('refuses a wrong password, a missing database and a server that is not there', async () => {
    await expect(open({ address: asAnother({ password: 'wrong' }) })).rejects.toThrow(/refuses the password/)
    await expect(open({ address: asAnother({ database: 'none' }) })).rejects.toThrow(/does not exist/)
    await expect(open({ address: asAnother({ port: 1 }) })).rejects.toThrow(/cannot be reached/)
  })

  it('refuses a certificate that it cannot trust, and takes one for the asked name only', async () => {
    const url = `postgres://${server.user}:x@127.0.0.1:${server.port}/postgres?sslmode=verify-full`
    await expect(open({ address: parsePostgresUrl(url) })).rejects.toThrow(/certificate/)
  })

  it('refuses a database of another encoding', async () => {
    await place.run("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    await expect(open({ address: asAnother({ database: 'latin' }) })).rejects.toThrow(/LATIN1; create one/)
  })

  it('says what to do if the role may not make the schema, and needs no more than it then', async () => {
    await place.run("CREATE ROLE plain LOGIN PASSWORD 'plain'")
    await place.run('REVOKE CREATE ON DATABASE postgres FROM PUBLIC')
    const address = asAnother({ user: 'plain', password: 'plain' })
    await expect(open({ address })).rejects.toThrow(/pulseward store init/)
    await place.run(`CREATE SCHEMA ${address.schema} AUTHORIZATION plain`)
    await using store = await open({ address })
    expect(await store.commit(batch({ events: [event(null)] }))).toMatchObject({ position: 1 })
  })

  it('refuses a second process while the first one lives, and lets it in at once when that has ended', async () => {
    const first = await open()
    await expect(open()).rejects.toMatchObject({ problem: 'locked' })
    expect(await first.commit(batch({ events: [event(null)] }))).toMatchObject({ position: 1 })
    await first[Symbol.asyncDispose]()
    const began = performance.now()
    await using second = await open()
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(await second.commit(batch({}))).toMatchObject({ position: 1, batch: 1 })
  })

  it('takes over from a process that no longer commits, which then commits nothing more', async () => {
    await using silent = await open({ beats: false })
    await silent.commit(batch({ events: [event(null)] }))
    await using next = await open()
    expect((await next.recover(0)).position).toBe(1)
    await expect(silent.commit(batch({ events: [event(null)] }))).rejects.toMatchObject({ problem: 'fenced' })
    expect((await next.recover(0)).position).toBe(1)
  })

  it('lets only one of two in that start together', async () => {
    const both = await Promise.allSettled([open(), open()])
    const opened = both.filter(({ status }) => status === 'fulfilled')
    expect(opened).toHaveLength(1)
    for (const one of both) if (one.status === 'fulfilled') await one.value[Symbol.asyncDispose]()
  })

  it('brings the tables of every earlier format forward, with what is in them', async () => {
    /** What takes each step back, the last one first. */
    const stepsBack = [
      'DROP TABLE revision',
      'DROP TABLE document; DROP TABLE session',
      'DROP TABLE staged; DROP TABLE staged_item; DROP TABLE staged_plan',
      'DROP TABLE escalation',
      'DROP TABLE process; ALTER TABLE head DROP COLUMN takeovers',
      'ALTER TABLE head DROP COLUMN moved_to, DROP COLUMN moved_at',
    ]
    expect(stepsBack).toHaveLength(currentFormat - 1)
    const made = await open()
    await made.commit(batch({ events: [event(null)] }))
    await made[Symbol.asyncDispose]()
    for (const [back, undo] of stepsBack.entries()) {
      await place.run(undo)
      await place.run(`UPDATE head SET format = ${currentFormat - 1 - back}`)
    }
    await using store = await open()
    expect(await place.run('SELECT format FROM head')).toEqual([{ format: currentFormat }])
    expect((await store.recover(0)).position).toBe(1)
  })

  it('refuses a store of a newer format, and leaves it unchanged', async () => {
    await (await open())[Symbol.asyncDispose]()
    await place.run('UPDATE head SET format = 99')
    await expect(open()).rejects.toMatchObject({ problem: 'newer_format' })
    expect(await place.run('SELECT format FROM head')).toEqual([{ format: 99 }])
  })

  it('refuses managed resources in an edition that does not check them', async () => {
    const store = await open()
    await store.commit(batch({ resources: [resource('a', 1)] }))
    await store[Symbol.asyncDispose]()
    await expect(open({ servesResources: false })).rejects.toMatchObject({ problem: 'managed' })
  })

  it('begins a new epoch on a restored copy, and knows that it is one until it commits', async () => {
    const store = await open()
    const { epoch } = await store.recover(0)
    await store.commit(batch({ events: [event(null)] }))
    await store[Symbol.asyncDispose]()
    // As a dump does: the same rows in another table.
    await place.run('CREATE TABLE copy (LIKE head INCLUDING ALL); INSERT INTO copy SELECT * FROM head')
    await place.run('DROP TABLE head; ALTER TABLE copy RENAME TO head')
    await using restored = await open()
    const found = await restored.recover(0)
    expect(found.epoch).toBeGreaterThan(epoch)
    expect(found.restores).toEqual([{ epoch: found.epoch, lastOperation: 0 }])
    expect(found.restoredFrom).toEqual({ backupAt: expect.any(Number) })
    await restored.commit(batch({}))
    expect((await restored.recover(0)).restoredFrom).toBeNull()
    expect(restored.identity).toEqual(store.identity)
  })

  it('goes on from a dump that was restored into another database, as from a backup', async () => {
    const store = await open()
    const { epoch } = await store.recover(0)
    await store.commit(
      batch({ identities: [identity(1)], events: [event(1)], resources: [resource('a', 1)] }),
    )
    await store[Symbol.asyncDispose]()
    await place.run('CREATE DATABASE restored')
    const { schema } = place.address
    const tool = (name: string, words: readonly string[], input = '') =>
      execFileSync(
        join(dirname(program), name),
        ['-h', '127.0.0.1', '-p', `${server.port}`, '-U', server.user, ...words],
        { input, encoding: 'utf8', env: { ...process.env, PGPASSWORD: server.password } },
      )
    const dump = tool('pg_dump', [`--schema=${schema}`, 'postgres'])
    tool('psql', ['--quiet', '--set=ON_ERROR_STOP=1', 'restored'], dump)
    await using restored = await open({ address: asAnother({ database: 'restored' }) })
    const found = await restored.recover(0)
    expect(found).toMatchObject({
      position: 1,
      lastChange: 1,
      restoredFrom: { backupAt: expect.any(Number) },
    })
    expect(found.epoch).toBeGreaterThan(epoch)
    expect(await restored.readResource('Monitor', 'a')).toEqual(resource('a', 1))
    expect(await restored.commit(batch({ events: [event(1)] }))).toMatchObject({ position: 2 })
  })

  it('never tells the password in an error', async () => {
    using folder = temporaryFolder()
    const passwordFile = folder.path('none')
    for (const wrong of [
      { address: asAnother({ password: 'telltale' }) },
      { address: asAnother({ password: 'telltale', port: 1 }) },
      { address: asAnother({ password: 'telltale' }), passwordFile },
    ]) {
      const error = await open(wrong).then(
        () => null,
        (refusal: Error) => refusal,
      )
      expect(`${error?.message} ${error?.stack}`).not.toContain('telltale')
    }
  })
})
