import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@pulseward/testing'
import { batch, identity, monitorIdOf } from '@pulseward/testing/store'
import { storeContract } from '@pulseward/testing/store-contract'
import { describe, expect, it } from 'vitest'
import { dataDirectory } from '../data-directory.ts'
import { storeBounds } from '../retention.ts'
import { inThisThread } from './same-thread.fixture.ts'
import { SqliteStore } from './sqlite-store.ts'

storeContract('sqlite', async (now, bounds = storeBounds) => {
  const folder = temporaryFolder()
  const options = { directory: folder.path('data'), now, bounds, startThread: inThisThread }
  const open = () => SqliteStore.open(options)
  let current = await open()
  return {
    store: current,
    async reopen() {
      await current[Symbol.asyncDispose]()
      current = await open()
      return current
    },
    async fence() {
      using database = new DatabaseSync(dataDirectory(options.directory).database)
      database.exec("UPDATE log SET run = 'another'")
    },
    async [Symbol.asyncDispose]() {
      await current[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
})

describe('the store thread', () => {
  it('answers until it is closed, and leaves what it was given to the next', async () => {
    using folder = temporaryFolder()
    const options = { directory: folder.path('data'), now: Date.now }
    const store = await SqliteStore.open(options)
    const kept = batch({ identities: [identity(1)], blocks: [{ block: 0, bytes: Uint8Array.of(1, 2, 3) }] })
    const [, found] = await Promise.all([store.commit(kept), store.findMonitor(monitorIdOf(1))])
    expect(found).toBe(1)
    await store[Symbol.asyncDispose]()
    await expect(store.commit(batch({}))).rejects.toMatchObject({ problem: 'closed', recovers: false })
    await using next = await SqliteStore.open(options)
    expect((await next.recover(0)).blocks).toEqual(kept.blocks)
  })

  it('says why a store cannot be opened, and ends', async () => {
    using folder = temporaryFolder()
    const options = { directory: folder.path('data'), now: Date.now }
    await using _owner = await SqliteStore.open(options)
    await expect(SqliteStore.open(options)).rejects.toMatchObject({ name: 'StoreError', problem: 'locked' })
    const damaged = folder.write('damaged/pulseward.db', 'words')
    await expect(SqliteStore.open({ ...options, directory: dirname(damaged) })).rejects.toMatchObject({
      problem: 'corrupt',
    })
  })

  it('gives recovered identities in chunks that can be left early', async () => {
    using folder = temporaryFolder()
    await using store = await SqliteStore.open({ directory: folder.path('data'), now: Date.now })
    const identities = Array.from({ length: 10_000 }, (_, number) => identity(number))
    await store.commit(batch({ identities }))
    const sizes: number[] = []
    for await (const chunk of (await store.recover(0)).identities) {
      sizes.push(chunk.length)
      if (sizes.length === 2) break
    }
    expect(sizes).toEqual([4096, 4096])
    expect(await store.findMonitor(monitorIdOf(9_999))).toBe(9_999)
  })
})
