// What happens to commits when PostgreSQL, or the way to it, is lost: nothing that was acknowledged is gone, nothing is
// there twice, and the service goes on by itself.
import { writeFileSync } from 'node:fs'
import {
  describeServer,
  type PostgresPlace,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  SeveredProxy,
  startPostgresql,
} from '@pulseward/testing/servers'
import { batch, event } from '@pulseward/testing/store'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { GroupCommitter } from '../group-commit.ts'
import { type Committed, type EventPage, StoreError } from '../store.ts'
import { PostgresStore } from './postgres-store.ts'

const all = {
  monitorId: null,
  order: 'asc',
  upTo: Number.MAX_SAFE_INTEGER,
  after: null,
  limit: 5_000,
} as const
const marked = (kind: string) => batch({ events: [event(null, { kind })] })
const kindsOf = ({ events }: EventPage) => events.map(({ kind }) => kind)

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  let proxy: SeveredProxy
  let place: PostgresPlace
  let store: PostgresStore
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    proxy = await SeveredProxy.before(server.port)
    place = postgresPlace(server, { by: proxy.port })
    store = await open()
  })
  afterEach(async () => {
    await store[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
    place[Symbol.dispose]()
  })

  const open = (passwordFile: string | null = null) =>
    PostgresStore.open({
      address: place.address,
      staging: place.staging,
      passwordFile,
      now: Date.now,
      beats: false,
    })
  const refusedBy = async (committing: Promise<Committed>): Promise<StoreError> => {
    const error = await committing.then(
      () => null,
      (refusal: unknown) => refusal,
    )
    if (!(error instanceof StoreError)) throw new Error('The commit was not refused.', { cause: error })
    return error
  }

  it('knows a commit whose answer was lost by its number, and keeps it once', async () => {
    await store.commit(marked('a'))
    proxy.loseNextAnswer()
    expect(await refusedBy(store.commit(marked('b')))).toMatchObject({ problem: 'io', inDoubt: true })
    // The batch, and a further one whose answer proves that nobody else has the store.
    expect(await store.commit(marked('b'))).toMatchObject({ position: 2, batch: 2 })
    expect(await store.commit(marked('c'))).toMatchObject({ position: 3, batch: 4 })
    expect(kindsOf(await store.readEvents(all))).toEqual(['a', 'b', 'c'])
  })

  it('writes a commit that never arrived', async () => {
    await store.commit(marked('a'))
    proxy.silent = true
    const committing = refusedBy(store.commit(marked('b')))
    proxy.cutAll()
    await committing
    proxy.silent = false
    expect(await store.commit(marked('b'))).toMatchObject({ position: 2 })
    expect(kindsOf(await store.readEvents(all))).toEqual(['a', 'b'])
  })

  it('says that a commit was rolled back, and is not in doubt then', async () => {
    await place.run(`
      CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'no space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER fill BEFORE INSERT ON event EXECUTE FUNCTION fill()`)
    const error = await refusedBy(store.commit(marked('a')))
    expect(error).toMatchObject({ problem: 'full', recovers: true, inDoubt: false })
    expect(error.message).toMatch(/disk of PostgreSQL is full; free some space there/)
    await place.run('DROP TRIGGER fill ON event')
    // Another one may be given: the first one was never written.
    expect(await store.commit(marked('b'))).toMatchObject({ position: 1, batch: 1 })
    expect(kindsOf(await store.readEvents(all))).toEqual(['b'])
  })

  it('goes on when sessions were ended, and when the server was killed and started again', async () => {
    await store.commit(marked('a'))
    await place.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'pulseward %'",
    )
    const committer = guarded(store)
    await committer.commit(marked('b'))
    await server.kill()
    const later = committer.commit(marked('c'))
    await committer.inTrouble
    await server.startAgain()
    await later
    committer[Symbol.dispose]()
    expect(kindsOf(await store.readEvents(all))).toEqual(['a', 'b', 'c'])
  })

  it('stops waiting for a row that another session has locked, and goes on when it is free', async () => {
    await store.commit(marked('a'))
    const blocking = place.run(
      'SELECT pg_sleep(4) FROM (SELECT FROM run WHERE fenced_by IS NULL FOR UPDATE) AS locked',
    )
    await locked(place)
    const error = await refusedBy(store.commit(marked('b')))
    expect(error).toMatchObject({ problem: 'io', inDoubt: false })
    expect(error.message).toMatch(/locked by another session/)
    await blocking
    expect(await store.commit(marked('c'))).toMatchObject({ position: 2 })
  })

  it('waits while the database is read-only, and looks for another server then', async () => {
    await store.commit(marked('a'))
    await setReadOnly(place, true)
    proxy.cutAll()
    await refusedBy(store.commit(marked('b')))
    expect((await refusedBy(store.commit(marked('b')))).message).toMatch(/read-only/)
    await setReadOnly(place, false)
    expect(await store.commit(marked('b'))).toMatchObject({ position: 2 })
  })

  it('takes a new password from its file without a restart', async () => {
    await store[Symbol.asyncDispose]()
    await place.run("CREATE ROLE changing LOGIN SUPERUSER PASSWORD 'first'")
    const file = `${place.staging}.password`
    writeFileSync(file, 'first\n')
    const address = { ...place.address, user: 'changing', password: null }
    store = await PostgresStore.open({
      address,
      staging: place.staging,
      passwordFile: file,
      now: Date.now,
      beats: false,
    })
    await store.commit(marked('a'))
    await place.run("ALTER ROLE changing PASSWORD 'second'")
    proxy.cutAll()
    await refusedBy(store.commit(marked('b')))
    expect((await refusedBy(store.commit(marked('b')))).message).toMatch(/refuses the password/)
    writeFileSync(file, 'second\n')
    await store.commit(marked('b'))
    expect(kindsOf(await store.readEvents(all))).toEqual(['a', 'b'])
  })

  it('ends when the database has lost what it acknowledged', async () => {
    await store.commit(marked('a'))
    await store.commit(marked('b'))
    await place.run('UPDATE run SET batch = 0')
    const error = await refusedBy(store.commit(marked('c')))
    expect(error).toMatchObject({ problem: 'gone', recovers: false })
    expect(error.message).toMatch(/no longer has what it acknowledged/)
  })

  it('does not count a commit whose answer was lost if another run has the store since', async () => {
    await store.commit(marked('a'))
    proxy.loseNextAnswer()
    await refusedBy(store.commit(marked('b')))
    await place.run("UPDATE run SET fenced_by = 'another'")
    expect(await refusedBy(store.commit(marked('b')))).toMatchObject({ problem: 'fenced', recovers: false })
  })

  it('has every batch once, in order, however often the connection is cut', async () => {
    const committer = guarded(store)
    const sent: string[] = []
    const done: Promise<unknown>[] = []
    for (let round = 0; round < 40; round++) {
      for (let one = 0; one < 5; one++) {
        const kind = `${round}.${one}`
        sent.push(kind)
        done.push(committer.commit(marked(kind)))
      }
      if (round % 2 === 0) proxy.loseNextAnswer()
      else proxy.cutAll()
      await Promise.race([Promise.all(done), committer.nextAttempt()])
    }
    await Promise.all(done)
    committer[Symbol.dispose]()
    expect(kindsOf(await store.readEvents(all))).toEqual(sent)
  })
})

/** A committer as the service has it, which tells when it is in trouble. */
function guarded(store: PostgresStore) {
  const trouble = Promise.withResolvers<void>()
  let attempt = Promise.withResolvers<void>()
  const committer = new GroupCommitter({
    store: {
      commit: (group) =>
        store.commit(group).finally(() => {
          attempt.resolve()
          attempt = Promise.withResolvers()
        }),
    },
    onTrouble: () => trouble.resolve(),
    onRecovered: () => {},
  })
  return {
    commit: (given: Parameters<PostgresStore['commit']>[0]) => committer.commit(given),
    inTrouble: trouble.promise,
    nextAttempt: () => attempt.promise,
    [Symbol.dispose]: () => committer[Symbol.dispose](),
  }
}

/** Resolves when another session sleeps with its lock. */
async function locked(place: PostgresPlace): Promise<void> {
  const sleeping = "SELECT 1 AS one FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
  while ((await place.run(sleeping)).length === 0);
}

async function setReadOnly(place: PostgresPlace, isReadOnly: boolean): Promise<void> {
  const value = isReadOnly ? 'on' : 'off'
  await place.run(`ALTER SYSTEM SET default_transaction_read_only = ${value}`)
  await place.run('SELECT pg_reload_conf()')
  const asked = `SELECT 1 AS one WHERE current_setting('default_transaction_read_only') = '${value}'`
  while ((await place.run(asked)).length === 0);
}
