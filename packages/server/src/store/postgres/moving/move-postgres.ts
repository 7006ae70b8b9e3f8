// store/postgres/moving/move-postgres.ts: a store in PostgreSQL as the source or the target of a move. A copy is made in one
// transaction, with its tables: if it does not end, however that happens, there is nothing. The row of the run is locked
// as long as a source is read, so that no service takes the store over meanwhile.
import { randomUUID } from 'node:crypto'
import { UsageError } from '../../../platform/usage-error.ts'
import {
  type Moved,
  type MoveSource,
  type MoveTarget,
  type ReadableStore,
  UnknownEnd,
} from '../../moving/movable-store.ts'
import { type PartName, type PortableHead, partNames, type RowOf } from '../../moving/portable-rows.ts'
import { type PostgresAddress, parsePostgresUrl } from '../address.ts'
import { PostgresConnection } from '../connection.ts'
import { placeQuery } from '../format.ts'
import { isServersAnswer } from '../postgres-errors.ts'
import { formatOf, makeSchema, requireStore } from '../prepare-schema.ts'
import { alreadyOwned, movedOf, quietOwner, restoredHead } from '../take-over.ts'
import { copyOf, copyText, partTables } from './part-tables.ts'
import { ReadablePostgres } from './readable-postgres.ts'

interface PlaceInPostgres {
  readonly url: string
  readonly passwordFile: string | null
}

/** A chunk takes less than a second; counting all rows of a large store takes longer. */
const statementWithinMs = 600_000

export function postgresPlaceOf(url: string): string {
  return parsePostgresUrl(url).shown
}

/** To be compared: changes nothing, and may be on a standby. */
export async function openReadablePostgres(at: PlaceInPostgres): Promise<ReadableStore> {
  return await opened(at, false, async (connection, address) => {
    await requireStore(connection, address)
    await quietOwner(connection)
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return new OwnConnection(connection, address.shown)
  })
}

export async function openPostgresSource(at: PlaceInPostgres): Promise<MoveSource> {
  return await opened(at, true, async (connection, address) => {
    await requireStore(connection, address)
    const owner = await quietOwner(connection)
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const [locked] = await connection.query<{ run: string; batch: number }>(
      'SELECT run.run, run.batch FROM head JOIN run ON run.run = head.run FOR UPDATE OF run',
    )
    if (locked?.run !== owner.run || locked.batch !== owner.batch) throw alreadyOwned()
    return new PostgresSource(connection, address.shown, owner.run, await movedOf(connection))
  })
}

export async function openPostgresTarget(at: PlaceInPostgres): Promise<MoveTarget> {
  return await opened(at, true, async (connection, address) => {
    await connection.query('BEGIN')
    if ((await formatOf(connection)) === null) await makeSchema(connection, address.schema)
    await requireEmpty(connection, address)
    return new PostgresTarget(connection, address.shown, await dropIndexes(connection))
  })
}

/** Makes a store that was moved away usable again, as one that was restored. */
export async function reclaimPostgres(at: PlaceInPostgres, now: number): Promise<void> {
  const connection = await opened(at, true, async (made, address) => {
    await requireStore(made, address)
    return made
  })
  try {
    if ((await movedOf(connection)) === null)
      throw new UsageError(
        `The store in ${postgresPlaceOf(at.url)} was not moved; start the service with it.`,
      )
    await quietOwner(connection)
    const { epoch, restores } = await restoredHead(connection)
    await connection.query(
      'UPDATE head SET moved_to = NULL, moved_at = NULL, restored_at = $1, epoch = $2, restores = $3 WHERE moved_to IS NOT NULL',
      [now, epoch, restores],
    )
  } finally {
    await connection.end()
  }
}

class OwnConnection extends ReadablePostgres {
  protected readonly connection: PostgresConnection

  constructor(connection: PostgresConnection, place: string) {
    super(connection, place)
    this.connection = connection
  }

  /** Ends its transaction too. */
  override async [Symbol.asyncDispose](): Promise<void> {
    await this.connection.end()
  }
}

class PostgresSource extends OwnConnection implements MoveSource {
  readonly #run: string
  readonly moved: Moved | null

  /** `run`: the one that had the store last. */
  constructor(connection: PostgresConnection, place: string, run: string, moved: Moved | null) {
    super(connection, place)
    this.#run = run
    this.moved = moved
  }

  /** The move counts as a run: one that wakes up later finds itself fenced. */
  async markMoved({ to, at }: Moved): Promise<void> {
    const run = randomUUID()
    await this.connection.query('UPDATE run SET fenced_by = $1 WHERE run = $2', [run, this.#run])
    await this.connection.query('INSERT INTO run (run, batch, ended) VALUES ($1, 0, true)', [run])
    await this.connection.query('UPDATE head SET run = $1, moved_to = $2, moved_at = $3', [run, to, at])
    await this.connection.query('COMMIT')
  }

  async unmark(): Promise<void> {
    await this.connection.query('UPDATE head SET moved_to = NULL, moved_at = NULL')
  }
}

class PostgresTarget implements MoveTarget {
  readonly place: string
  readonly #connection: PostgresConnection
  /** The statements that make the indexes, which are made when all rows are there: row by row takes much longer. */
  readonly #indexes: readonly string[]
  /** One chunk is made while the one before it is written. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(connection: PostgresConnection, place: string, indexes: readonly string[]) {
    this.#connection = connection
    this.place = place
    this.#indexes = indexes
  }

  async write<Name extends PartName>(name: Name, rows: readonly RowOf<Name>[]): Promise<void> {
    const part = partTables[name]
    const text = copyText<RowOf<Name>>(part, rows)
    await this.#writing
    this.#writing = this.#connection.copy(copyOf<RowOf<Name>>(part), text)
    this.#writing.catch(() => undefined)
  }

  async finish(head: PortableHead): Promise<void> {
    await this.#writing
    for (const index of this.#indexes) await this.#connection.query(index)
    await this.#connection.query(
      `UPDATE head SET identity = $1, epoch = $2, restores = $3, position = $4, oldest = $5, history_bytes = $6,
         highest_numeric_id = $7, committed_at = $8, keeps_until = $9, restored_at = $10, last_change = $11,
         past_forgotten_up_to = $12, past_keeps_until = $13,
         resources = (SELECT count(*) FROM resource WHERE ended_by IS NULL),
         past_resources = (SELECT count(*) FROM resource WHERE ended_by IS NOT NULL),
         place = (${placeQuery})`,
      [
        ...[head.identity, head.epoch, JSON.stringify(head.restores), head.position, head.oldest],
        ...[head.historyBytes, head.highestNumericId, head.committedAt, head.keepsUntil, head.restoredAt],
        ...[head.lastChange, head.pastForgottenUpTo, head.pastKeepsUntil],
      ],
    )
    await this.#connection.query(
      `SELECT setval(pg_get_serial_sequence('action', 'number'), (SELECT coalesce(max(number), 0) + 1 FROM action), false)`,
    )
    // Otherwise the first queries of a service would be planned for empty tables.
    const tables = new Set(partNames.map((name) => partTables[name].table))
    await this.#connection.query(`ANALYZE ${[...tables].join(', ')}`)
  }

  readBack(): ReadableStore {
    return new ReadablePostgres(this.#connection, this.place)
  }

  async putInPlace(): Promise<void> {
    try {
      await this.#connection.query('COMMIT')
    } catch (error) {
      throw isServersAnswer(error) ? error : new UnknownEnd(error)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.end()
  }
}

async function opened<Result>(
  { url, passwordFile }: PlaceInPostgres,
  writes: boolean,
  work: (connection: PostgresConnection, address: PostgresAddress) => Promise<Result>,
): Promise<Result> {
  const address = parsePostgresUrl(url)
  const options = { address, passwordFile, name: 'pulseward store', writes, statementWithinMs }
  const connection = await PostgresConnection.open(options)
  try {
    return await work(connection, address)
  } catch (error) {
    await connection.end()
    throw error
  }
}

/** All but those of keys. Returns what makes them again, in the transaction of the copy. */
async function dropIndexes(connection: PostgresConnection): Promise<string[]> {
  const indexes = await connection.query<{ name: string; made: string }>(`
    SELECT quote_ident(class.relname) AS name, pg_get_indexdef(class.oid) AS made
    FROM pg_index AS index JOIN pg_class AS class ON class.oid = index.indexrelid
    WHERE class.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = class.oid)
    ORDER BY class.relname`)
  for (const { name } of indexes) await connection.query(`DROP INDEX ${name}`)
  return indexes.map(({ made }) => made)
}

/** Locks the head, so that no service takes it while it is filled. */
async function requireEmpty(connection: PostgresConnection, address: PostgresAddress): Promise<void> {
  await requireStore(connection, address)
  const { shown, schema } = address
  const [head] = await connection.query<{ run: string }>('SELECT run FROM head FOR UPDATE')
  if (head!.run !== 'none')
    throw new UsageError(
      `There is a store in ${shown} already; name another schema with ?schema=NAME, or run DROP SCHEMA "${schema.replaceAll('"', '""')}" CASCADE if it is not needed.`,
    )
}
