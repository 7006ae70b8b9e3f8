// store/postgres/open-store.ts: opens a store by its URL, and says what its PostgreSQL may lose.
import type { SharedPrincipals } from '../shared-access.ts'
import { parsePostgresUrl } from './address.ts'
import type { Query } from './commit-line.ts'
import { PostgresConnection } from './connection.ts'
import { durabilityConcerns } from './durability.ts'
import { PostgresStore, type PostgresStoreOptions } from './postgres-store.ts'
import { initScript, prepareSchema, requireStore } from './prepare-schema.ts'
import { principalsBy } from './shared-access.ts'

export interface OpenByUrl extends Omit<PostgresStoreOptions, 'address'> {
  readonly url: string
}

/** Makes the tables of a store, and leaves those of one that is there. Returns where, for people. */
export async function initStore(url: string, passwordFile: string | null): Promise<string> {
  const address = parsePostgresUrl(url)
  const connection = await PostgresConnection.open({
    address,
    passwordFile,
    name: 'pulseward store init',
    writes: true,
  })
  try {
    await prepareSchema(connection, address.schema)
    return address.shown
  } finally {
    await connection.end()
  }
}

/** What `initStore` does, as SQL. */
export function initScriptOf(url: string): string {
  return initScript(parsePostgresUrl(url).schema)
}

interface DumpCommands {
  readonly dump: string
  readonly restore: string
}

/** What backs a store up and restores it, as for a shell: PostgreSQL's own tools. */
export function dumpCommandsOf(url: string, file: string): DumpCommands {
  const { shown, schema } = parsePostgresUrl(url)
  const database = shown.replace(/\?.*$/, '')
  return {
    dump: `pg_dump --format=custom --schema=${schema} --file=${file} '${database}'`,
    restore: `pg_restore --dbname='${database}' ${file}`,
  }
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

/** The list of principals, for commands; a service may use the store meanwhile. */
export async function withPrincipals<Result>(
  url: string,
  passwordFile: string | null,
  work: (principals: SharedPrincipals, place: string) => Promise<Result>,
): Promise<Result> {
  const address = parsePostgresUrl(url)
  const name = 'pulseward token'
  const connection = await PostgresConnection.open({ address, passwordFile, name, writes: true })
  try {
    await requireStore(connection, address)
    const query: Query = (text, values) => connection.query(text, values) as never
    return await work(principalsBy(query, query), address.shown)
  } finally {
    await connection.end()
  }
}
