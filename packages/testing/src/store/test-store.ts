// store/test-store.ts: an empty store for a service of which a test holds all parts: in memory, or in the PostgreSQL of
// the tests.
import { randomUUID } from 'node:crypto'
import { MemoryStore } from '@pulseward/server/internal/store/memory-store.ts'
import type { Store } from '@pulseward/server/internal/store/store.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { testDatabase } from './test-database.ts'

const opened: AsyncDisposable[] = []

export async function openTestStore(now: () => number): Promise<Store> {
  const url = testDatabase(randomUUID())
  if (url === null) return new MemoryStore(now)
  // Whatever runs without PostgreSQL does not load its store.
  const { parsePostgresUrl } = await import('@pulseward/server/internal/store/postgres/address.ts')
  const { PostgresStore } = await import('@pulseward/server/internal/store/postgres/postgres-store.ts')
  const folder = temporaryFolder()
  const address = parsePostgresUrl(url)
  const staging = folder.path('staging')
  // No beats: a test moves its clock, and may read the clock of the store only then.
  const store = await PostgresStore.open({ address, staging, passwordFile: null, now, beats: false })
  opened.push({
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  })
  return store
}

/** How many are open that need to be closed. */
export function testStores(): number {
  return opened.length
}

/** Closes all but the oldest ones, and their connections. */
export async function closeTestStores(kept = 0): Promise<void> {
  await Promise.all(opened.splice(kept).map((store) => store[Symbol.asyncDispose]()))
}
