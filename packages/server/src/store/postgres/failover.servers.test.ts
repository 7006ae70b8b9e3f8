// A primary with a synchronous standby, killed under load: the standby is promoted, and the store goes on there with
// everything that was acknowledged, each batch once.
import {
  describeServer,
  postgresPlace,
  postgresql,
  startPostgresql,
  startStandby,
} from '@pulseward/testing/servers'
import { batch, event } from '@pulseward/testing/store'
import { expect, it } from 'vitest'
import { GroupCommitter } from '../group-commit.ts'
import type { PostgresAddress } from './address.ts'
import { PostgresStore } from './postgres-store.ts'

const all = {
  monitorId: null,
  order: 'asc',
  upTo: Number.MAX_SAFE_INTEGER,
  after: null,
  limit: 100_000,
} as const
const isSynchronous = "SELECT 1 AS one FROM pg_stat_replication WHERE sync_state = 'sync'"

describeServer(postgresql, (program) => {
  it('loses nothing that was acknowledged when the primary is killed and its synchronous standby promoted', async () => {
    await using primary = await startPostgresql(program)
    await using standby = await startStandby(program, primary)
    using place = postgresPlace(primary)
    await place.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await place.run('SELECT pg_reload_conf()')
    while ((await place.run(isSynchronous)).length === 0);
    const address: PostgresAddress = {
      ...place.address,
      hosts: [primary, standby].map(({ port }) => ({ host: '127.0.0.1', port })),
    }
    await using store = await PostgresStore.open({
      address,
      staging: place.staging,
      passwordFile: null,
      now: Date.now,
    })
    const recovered = Promise.withResolvers<void>()
    using committer = new GroupCommitter({
      store,
      onTrouble: () => {},
      onRecovered: () => recovered.resolve(),
    })

    const acknowledged: string[] = []
    const sent: string[] = []
    let isLoaded = true
    const load = async (name: string) => {
      for (let number = 0; isLoaded; number++) {
        const kind = `${name}.${number}`
        sent.push(kind)
        await committer.commit(batch({ events: [event(null, { kind })] }))
        acknowledged.push(kind)
      }
    }
    const loads = ['a', 'b', 'c', 'd'].map(load)
    while (acknowledged.length < 200) await committer.commit(batch({}))
    await primary.kill()
    const asStandby = { ...place.address, hosts: [{ host: '127.0.0.1', port: standby.port }] }
    await promote(asStandby)
    await recovered.promise
    const before = acknowledged.length
    while (acknowledged.length < before + 200) await committer.commit(batch({}))
    isLoaded = false
    await Promise.all(loads)

    const kinds = (await store.readEvents(all)).events.map(({ kind }) => kind!)
    expect(new Set(kinds).size).toBe(kinds.length)
    expect(acknowledged.filter((kind) => !kinds.includes(kind))).toEqual([])
    expect([...kinds].sort()).toEqual([...sent].sort())
  })

  it('does not count a commit whose wait for the standby was cancelled before a further one has arrived there', async () => {
    await using primary = await startPostgresql(program)
    await using standby = await startStandby(program, primary)
    using place = postgresPlace(primary)
    await place.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await place.run('SELECT pg_reload_conf()')
    while ((await place.run(isSynchronous)).length === 0);
    const { address, staging } = place
    const options = { address, staging, passwordFile: null, now: Date.now, beats: false }
    await using store = await PostgresStore.open(options)
    await standby.kill()
    const waiting = () =>
      place.run<{ pid: number }>("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    const untilWaiting = async () => {
      for (;;) {
        const [session] = await waiting()
        if (session !== undefined) return session.pid
      }
    }
    const committing = store.commit(batch({ events: [event(null)] }))
    const batches = async () =>
      (await place.run<{ batch: number }>('SELECT max(batch) AS batch FROM run'))[0]!.batch
    await place.run(`SELECT pg_cancel_backend(${await untilWaiting()})`)
    // It is there now, and a further batch waits for the standby in its turn.
    while ((await batches()) < 1);
    await untilWaiting()
    await place.run('ALTER SYSTEM RESET synchronous_standby_names')
    await place.run('SELECT pg_reload_conf()')
    expect(await committing).toMatchObject({ batch: 1, position: 1 })
    expect(await batches()).toBe(2)
  })
})

async function promote(address: PostgresAddress): Promise<void> {
  const { PostgresConnection } = await import('./connection.ts')
  const connection = await PostgresConnection.open({
    address,
    passwordFile: null,
    name: 'a test',
    writes: false,
  })
  await connection.query('SELECT pg_promote()')
  await connection.end()
}
