// store/postgres/open-store.ts: opens a store by its URL, and says what its PostgreSQL may lose.
import { parsePostgresUrl } from './address.ts'
import { durabilityConcerns } from './durability.ts'
import { PostgresStore, type PostgresStoreOptions } from './postgres-store.ts'

export interface OpenByUrl extends Omit<PostgresStoreOptions, 'address'> {
  readonly url: string
}

export interface OpenedByUrl {
  readonly store: PostgresStore
  /** For people: without the password. */
  readonly place: string
  /** In sentences that end with what to do. */
  readonly concerns: readonly string[]
}

export async function openPostgresStore({ url, ...options }: OpenByUrl): Promise<OpenedByUrl> {
  const address = parsePostgresUrl(url)
  const store = await PostgresStore.open({ ...options, address })
  return { store, place: address.shown, concerns: durabilityConcerns(await store.durability()) }
}
