// servers/postgres-place.ts: places for stores in a real PostgreSQL, each a schema of its own.
import { type PostgresAddress, parsePostgresUrl } from '@pulseward/server/internal/store/postgres/address.ts'
import { PostgresConnection } from '@pulseward/server/internal/store/postgres/connection.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'
import type { RunningPostgresql } from './postgresql.ts'

export interface PostgresPlace extends Disposable {
  readonly url: string
  readonly address: PostgresAddress
  /** The folder of staged items. */
  readonly staging: string
  /** Does something to the tables behind the back of the store. */
  run<Row extends Record<string, unknown>>(text: string): Promise<Row[]>
}

let places = 0

export function postgresPlace(
  { port, user, password }: Pick<RunningPostgresql, 'port' | 'user' | 'password'>,
  { by = port, database = 'postgres' }: { by?: number; database?: string } = {},
): PostgresPlace {
  const login = `${user}:${encodeURIComponent(password)}`
  const urlBy = (way: number) => `postgres://${login}@127.0.0.1:${way}/${database}?schema=${schema}`
  const schema = `place_${++places}`
  const url = urlBy(by)
  const address = parsePostgresUrl(url)
  const folder = temporaryFolder()
  return {
    url,
    address,
    staging: folder.path('staging'),
    async run<Row extends Record<string, unknown>>(text: string) {
      const connection = await PostgresConnection.open({
        address: parsePostgresUrl(urlBy(port)),
        passwordFile: null,
        name: 'a test',
        writes: false,
      })
      try {
        return await connection.query<Row>(text)
      } finally {
        await connection.end()
      }
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}
