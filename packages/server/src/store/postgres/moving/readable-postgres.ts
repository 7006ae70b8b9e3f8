// store/postgres/moving/readable-postgres.ts: the content of a store in PostgreSQL, read over one connection in its open
// transaction, by cursors.
import type { ReadableStore } from '../../moving/movable-store.ts'
import { type PartName, type PortableHead, parts, type RowOf } from '../../moving/portable-rows.ts'
import type { PostgresConnection } from '../connection.ts'
import { partTables, rowFrom, selectOf } from './part-tables.ts'

export class ReadablePostgres implements ReadableStore {
  readonly place: string
  readonly #connection: PostgresConnection
  #cursors = 0

  constructor(connection: PostgresConnection, place: string) {
    this.#connection = connection
    this.place = place
  }

  async head(): Promise<PortableHead> {
    const [head] = await this.#connection.query<Omit<PortableHead, 'restores'> & { restores: string }>(`
      SELECT identity, epoch, restores, position, oldest, history_bytes AS "historyBytes",
        highest_numeric_id AS "highestNumericId", committed_at AS "committedAt", keeps_until AS "keepsUntil",
        restored_at AS "restoredAt", last_change AS "lastChange", past_forgotten_up_to AS "pastForgottenUpTo",
        past_keeps_until AS "pastKeepsUntil" FROM head`)
    return { ...head!, restores: JSON.parse(head!.restores) }
  }

  async count(name: PartName): Promise<number> {
    const { table, where = 'true' } = partTables[name]
    const [found] = await this.#connection.query<{ count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE ${where}`,
    )
    return found!.count
  }

  async *rows<Name extends PartName>(name: Name): AsyncIterable<readonly RowOf<Name>[]> {
    const cursor = `part_${++this.#cursors}`
    const part = partTables[name]
    await this.#connection.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${selectOf(part)}`)
    const fetch = () =>
      this.#connection.query<Record<string, unknown>>(`FETCH ${parts[name].rowsAtOnce} FROM ${cursor}`)
    // Read ahead; if the caller stops iterating, the rejection must not be unhandled.
    for (let reading = fetch(); ; ) {
      const records = await reading
      if (records.length === 0) break
      reading = fetch()
      reading.catch(() => undefined)
      yield records.map((record) => rowFrom<RowOf<Name>>(part, record))
    }
    await this.#connection.query(`CLOSE ${cursor}`)
  }

  async sealedValues(): Promise<readonly Uint8Array[]> {
    const rows = await this.#connection.query<{ sealed: Uint8Array }>(
      'SELECT sealed FROM resource WHERE ended_by IS NULL AND sealed IS NOT NULL',
    )
    return rows.map(({ sealed }) => sealed)
  }

  /** The connection is that of the caller. */
  async [Symbol.asyncDispose](): Promise<void> {}
}
