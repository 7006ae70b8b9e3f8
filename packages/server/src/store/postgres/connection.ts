// store/postgres/connection.ts: one connection to the database of the store, checked before it is used: it must lead to a
// PostgreSQL that accepts writes and keeps sessions. The library is loaded with the first connection only.
import { readFile } from 'node:fs/promises'
import type { Client, QueryResultRow } from 'pg'
import { type PostgresAddress, type PostgresHost, sslOptions } from './address.ts'
import { CopyRows } from './copy-rows.ts'
import { postgresError, postgresTrouble } from './postgres-errors.ts'

export interface ConnectionOptions {
  readonly address: PostgresAddress
  /** Read anew for each connection, so that a changed password needs no restart. */
  readonly passwordFile: string | null
  /** Shown in pg_stat_activity. */
  readonly name: string
  /** Whether it must accept writes. */
  readonly writes: boolean
  /** For work that takes longer than that of a service. */
  readonly statementWithinMs?: number
}

const connectWithinMs = 5_000
/** PostgreSQL's own limits for a statement: a lock is held by a lost connection of ours at most. */
const lockWithinMs = 3_000
const defaultWithinMs = 60_000

export const oldestVersion = 14
/** The routine of the server that warns of a cancelled wait: its words depend on the language. */
const waitForStandbys = 'SyncRepWaitForLSN'
const int8 = 20
const bytea = 17

export interface ServerFacts {
  readonly version: string
  readonly number: number
  readonly encoding: string
  readonly inRecovery: boolean
  readonly readOnly: boolean
  /** The process that serves this connection. */
  readonly pid: number
  /** The process that the login named; a pool names one of its own. */
  readonly announcedPid: number | null
}

export class PostgresConnection {
  readonly #client: Client
  readonly #withinMs: number
  #lost: Error | null = null
  #unreplicated = 0

  private constructor(client: Client, withinMs: number) {
    this.#client = client
    this.#withinMs = withinMs
    client.on('error', (error) => {
      this.#lost ??= error
    })
    client.on('notice', ({ routine }) => {
      if (routine === waitForStandbys) this.#unreplicated++
    })
    client.on('end', () => {
      this.#lost ??= new Error('Connection terminated')
    })
  }

  /** Rejects with a StoreError. */
  static async open(options: ConnectionOptions): Promise<PostgresConnection> {
    const problems: unknown[] = []
    for (const host of options.address.hosts) {
      try {
        return await PostgresConnection.#openAt(host, options)
      } catch (error) {
        problems.push(error)
      }
    }
    // A host that answers says more than one that does not.
    throw problems.find((problem) => !isUnreachable(problem)) ?? problems[0]
  }

  static async #openAt(host: PostgresHost, options: ConnectionOptions): Promise<PostgresConnection> {
    const { address, name, writes, statementWithinMs = defaultWithinMs } = options
    const { default: pg } = await import('pg')
    const ssl = sslOf(address)
    const client = new pg.Client({
      host: host.host,
      port: host.port,
      user: address.user,
      database: address.database,
      ...(await passwordOf(options)),
      ssl,
      application_name: name,
      connectionTimeoutMillis: connectWithinMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: { getTypeParser: (type: number) => parserOf(type, pg.types) as never },
    } as ConstructorParameters<typeof pg.Client>[0])
    const connection = new PostgresConnection(client, statementWithinMs)
    try {
      await client.connect()
      await connection.#begin(address, writes)
      return connection
    } catch (error) {
      connection.destroy()
      throw postgresError(error)
    }
  }

  get isLost(): boolean {
    return this.#lost !== null
  }

  /** How many commits were acknowledged although their wait for a synchronous standby was cancelled. */
  get unreplicated(): number {
    return this.#unreplicated
  }

  /**
   * Rejects with a StoreError, or with a mistake of ours as it is. If there is no answer in time, the connection is given
   * up, and whether the statement was carried out is unknown.
   */
  async query<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    { name, withinMs = this.#withinMs }: { name?: string; withinMs?: number } = {},
  ): Promise<Row[]> {
    return await this.#answered(withinMs, async () => {
      const result = await this.#client.query<Row>({
        text,
        values: values as unknown[],
        ...(name === undefined ? {} : { name }),
      })
      // Of several statements there are several results, which nobody needs.
      return Array.isArray(result) ? [] : result.rows
    })
  }

  /** Loads rows, as `copyText` makes them. Rejects like `query`. */
  async copy(statement: string, rows: string): Promise<void> {
    await this.#answered(this.#withinMs, () => {
      const copying = new CopyRows(statement, rows)
      this.#client.query(copying)
      return copying.done
    })
  }

  async #answered<Result>(withinMs: number, ask: () => Promise<Result>): Promise<Result> {
    if (this.#lost !== null) throw postgresError(this.#lost)
    let isGivenUp = false
    const giveUp = setTimeout(() => {
      isGivenUp = true
      this.#lost ??= new Error('timeout')
      this.destroy()
    }, withinMs)
    try {
      return await ask()
    } catch (error) {
      throw postgresError(isGivenUp ? this.#lost : error)
    } finally {
      clearTimeout(giveUp)
    }
  }

  /** Without a goodbye, which a dead peer would never take. */
  destroy(): void {
    this.#lost ??= new Error('Connection terminated')
    ;(this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }

  async end(): Promise<void> {
    if (this.#lost !== null) return this.destroy()
    const goodbye = setTimeout(() => this.destroy(), 1_000)
    await this.#client.end().catch(() => undefined)
    clearTimeout(goodbye)
  }

  async #begin(address: PostgresAddress, writes: boolean): Promise<void> {
    const withinMs = connectWithinMs
    const [facts] = await this.query<Omit<ServerFacts, 'announcedPid'>>(
      `SELECT version() AS version, current_setting('server_version_num')::int AS number,
         current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "inRecovery",
         current_setting('transaction_read_only') = 'on' AS "readOnly", pg_backend_pid() AS pid`,
      [],
      { withinMs },
    )
    const announcedPid = (this.#client as unknown as { processID: number | null }).processID
    const problem = serverProblem({ ...facts!, announcedPid }, writes)
    if (problem !== null) throw postgresTrouble('io', problem)
    await this.query(
      `SELECT set_config('search_path', quote_ident($1), false), set_config('lock_timeout', $2, false),
         set_config('statement_timeout', $3, false), set_config('idle_in_transaction_session_timeout', $3, false),
         set_config('standard_conforming_strings', 'on', false)`,
      [address.schema, String(lockWithinMs), String(this.#withinMs)],
      { withinMs },
    )
  }
}

/** Why the store cannot be kept on this server, in a sentence that says what to do; null if it can. */
export function serverProblem(facts: ServerFacts, writes: boolean): string | null {
  const { version, number, encoding, inRecovery, readOnly, pid, announcedPid } = facts
  if (!version.startsWith('PostgreSQL ') || version.includes('-YB-'))
    return `The server is not PostgreSQL; use PostgreSQL ${oldestVersion} or later. (${version.slice(0, 60)})`
  if (number < oldestVersion * 10_000)
    return `The server is PostgreSQL ${Math.floor(number / 10_000)}, which is too old; use ${oldestVersion} or later.`
  if (announcedPid !== null && announcedPid !== pid)
    return 'There is a connection pool such as PgBouncer before PostgreSQL, which may give every transaction another session; connect to PostgreSQL itself.'
  if (encoding !== 'UTF8')
    return `The database has the encoding ${encoding}; create one with ENCODING 'UTF8'.`
  if (writes && inRecovery)
    return 'The server is a standby in recovery, which cannot be written; connect to the primary, or name both hosts in the URL.'
  if (writes && readOnly)
    return 'The database is read-only; end its read-only mode (default_transaction_read_only).'
  return null
}

function isUnreachable(problem: unknown): boolean {
  const { cause } = problem as { cause?: { code?: string } }
  return /^E[A-Z]+$/.test(cause?.code ?? '')
}

function sslOf(address: PostgresAddress): object | false {
  try {
    return sslOptions(address) ?? false
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw postgresTrouble(
      'io',
      `A file that the URL of the store names for TLS cannot be read; see sslrootcert, sslcert and sslkey there. (${code})`,
      error,
    )
  }
}

/** With neither, the library looks into PGPASSWORD and PGPASSFILE. */
async function passwordOf({ address, passwordFile }: ConnectionOptions): Promise<{ password?: string }> {
  if (passwordFile !== null) {
    const content = await readFile(passwordFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw postgresTrouble('io', `The password file of the store cannot be read. (${error.code})`, error)
    })
    return { password: content.replace(/\r?\n$/, '') }
  }
  return address.password === null ? {} : { password: address.password }
}

function parserOf(type: number, types: { getTypeParser(type: number): unknown }): unknown {
  // All our numbers are exact below 2^53.
  if (type === int8) return Number
  if (type === bytea) return (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))
  return types.getTypeParser(type)
}
