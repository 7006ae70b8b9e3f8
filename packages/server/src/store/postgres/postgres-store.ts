// store/postgres/postgres-store.ts: the store in PostgreSQL as the controller sees it. Commits go over one connection, one
// after the other (commit-line.ts); reads over a few others. Nothing here waits: the library is asynchronous.
import { randomUUID } from 'node:crypto'
import type { ResourceKind } from '@pulseward/contract/v2/kinds'
import type { Action } from '../../deciding/actions/action.ts'
import type { Instant } from '../../deciding/health/health.ts'
import type { BesideAddress, StoreBeside } from '../beside.ts'
import { type BulkPage, type BulkQuery, isListed, type OutcomePage, type StoredBulk } from '../bulk.ts'
import { bulkOf, type OutcomeRow, outcomePageOf } from '../bulk-rows.ts'
import type { StoredExecution, WorkerStatement } from '../execution.ts'
import { executionOf, statementOf } from '../execution-rows.ts'
import { asOf, type IncidentPage, type IncidentQuery, type StoredIncident } from '../incident.ts'
import type {
  ResealedValue,
  ResourcePage,
  ResourceQuery,
  StoredOperation,
  StoredResource,
} from '../resource.ts'
import { ResourceRequests } from '../resource-requests.ts'
import { operationOf } from '../resource-rows.ts'
import { type StoreBounds, storeBounds } from '../retention.ts'
import {
  inForce,
  type KeptRevision,
  type KeptRevisionRow,
  type RevisionQuery,
  revisionOf,
  sharedKinds,
} from '../revision.ts'
import { actionOf, incidentOf, storeIdentityOf } from '../rows.ts'
import type { SharedAccess } from '../shared-access.ts'
import type { Sharing, Standing } from '../standing.ts'
import type {
  ActionPage,
  ActionQuery,
  CommitBatch,
  CommittedBatch,
  EventPage,
  EventQuery,
  Recovered,
  Store,
  StoreIdentity,
  StoreUsage,
} from '../store.ts'
import { storeError } from '../store-errors.ts'
import type { NumberedCell, TrendQuery, TrendsQuery } from '../trend.ts'
import type { PostgresAddress } from './address.ts'
import { addressOf, openPostgresBeside } from './beside.ts'
import { CommitLine, type CommitLineRules, type Query } from './commit-line.ts'
import { type ConnectionOptions, PostgresConnection } from './connection.ts'
import type { Durability } from './durability.ts'
import { readEvents } from './event-queries.ts'
import { prepareSchema } from './prepare-schema.ts'
import { ProcessRegister } from './process-register.ts'
import { ReadingPool } from './reading-pool.ts'
import { recoverFrom } from './recover.ts'
import { listResources, readPresent } from './resource-queries.ts'
import { changeSessions, principalsBy, readSessions } from './shared-access.ts'
import { type Claim, standBy } from './stand-by.ts'
import { StoreWriter, type WriterState } from './store-writer.ts'
import { takeOverAtOnce, writerName } from './take-over.ts'
import { readTrend, readTrends } from './trend-queries.ts'

export interface PostgresStoreOptions {
  readonly address: PostgresAddress
  readonly passwordFile: string | null
  /** The folder of the copies of staged items. */
  readonly staging: string
  readonly now: () => Instant
  readonly bounds?: StoreBounds
  /** If false, a store with resources written through v2 is refused and left unchanged. */
  readonly servesResources?: boolean
  /** For a process that tells others about itself, and may stand by; absent for one that is refused then. */
  readonly standing?: Standing
  /** If false, only commits show that the process lives; for tests that count batches. */
  readonly beats?: boolean
  /** For tests with a wrong rule. */
  readonly proves?: CommitLineRules['proves'] | undefined
}

/** How an active process shows that it lives, and when an answer is overdue. */
export const livenessRules = { commitEveryMs: 500, slowAfterMs: 3_000 }

const readingConnections = 4
const bulkAtOnce = 500
/** The answer that shows it also says that the database is away. */
const usageWithinMs = 2_000
const incidentColumns = 'opened, body, closed, ended, handled'

interface Body {
  readonly body: string
}

interface IncidentRow extends Body {
  readonly opened: number
  readonly closed: number | null
  readonly ended: string | null
  readonly handled: readonly string[]
}

export class PostgresStore implements Store {
  readonly mode = 'postgres'
  readonly isDurable = true
  readonly liveness = { ...livenessRules, holds: () => this.#writer.holds() }
  readonly sharing?: Sharing
  readonly access: SharedAccess
  readonly run: string
  readonly identity: StoreIdentity
  readonly besideAddress: BesideAddress
  readonly #now: () => Instant
  readonly #writer: StoreWriter
  readonly #pool: ReadingPool
  readonly #requests: ResourceRequests
  readonly #register: ProcessRegister | null = null
  #closing: Promise<void> | null = null

  /**
   * Waits while another process has the store, or is refused, as `standing` says. Rejects with a StoreError if the
   * database cannot be used or is too new.
   */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const { address, passwordFile, now, servesResources = true, standing = null } = options
    const run = randomUUID()
    const writing: ConnectionOptions = { address, passwordFile, name: writerName(run), writes: true }
    const judge = servesResources ? async () => {} : requireUnmanaged
    const claim = { writing, run, now, judge }
    const connection =
      standing?.waits === true ? await standBy({ ...claim, standing }) : await takeAtOnce(claim)
    try {
      const [head] = await connection.query<WriterState & { identity: string; [column: string]: unknown }>(`
        SELECT identity, committed_at AS "committedAt", keeps_until AS "keepsUntil",
          past_keeps_until AS "pastKeepsUntil", last_change AS "lastChange" FROM head`)
      return new PostgresStore(options, run, connection, writing, head!)
    } catch (error) {
      await connection.end()
      throw error
    }
  }

  private constructor(
    {
      address,
      passwordFile,
      staging,
      now,
      standing,
      bounds = storeBounds,
      beats = true,
      proves,
    }: PostgresStoreOptions,
    run: string,
    connection: PostgresConnection,
    writing: ConnectionOptions,
    head: WriterState & { readonly identity: string },
  ) {
    this.run = run
    this.identity = storeIdentityOf(head.identity)
    this.besideAddress = addressOf({ address, passwordFile, staging, run })
    this.#now = now
    const line = (emptyBatch: ConstructorParameters<typeof CommitLine>[3]) =>
      new CommitLine(writing, run, connection, emptyBatch, { beats, proves })
    this.#writer = new StoreWriter(line, head, now, bounds)
    this.#pool = new ReadingPool({ ...writing, name: 'pulseward reading', writes: false }, readingConnections)
    this.#requests = new ResourceRequests((wanted) => readPresent(this.#pool, wanted))
    const read: Query = (text, values) => this.#pool.query(text, values)
    this.access = {
      principals: principalsBy(read, (text, values) => this.#writer.write(text, values)),
      sessions: {
        read: () => readSessions(read),
        change: (...changes) => this.#writer.alone((query) => changeSessions(query, run, ...changes)),
      },
    }
    if (standing === undefined) return
    this.#register = new ProcessRegister(
      (text, values) => this.#pool.query(text, values),
      run,
      () => standing.card(),
    )
    this.#register.start()
    this.sharing = this.#register
  }

  async commit(batch: CommitBatch): Promise<CommittedBatch> {
    const began = performance.now()
    const reached = await this.#writer.commit(batch)
    return { ...reached, latencyMs: performance.now() - began }
  }

  recover(recentMs: number): Promise<Recovered> {
    return recoverFrom(this.#pool, this.#now() - recentMs)
  }

  readEvents(query: EventQuery): Promise<EventPage> {
    return readEvents(this.#pool, query)
  }

  async readActions(monitorId: string, limit: number): Promise<readonly Action[]> {
    return (await this.listActions({ monitorId, after: null, limit })).actions.map(({ action }) => action)
  }

  async listActions({ monitorId, after, limit }: ActionQuery): Promise<ActionPage> {
    const rows = await this.#pool.query<Body & { number: number }>(
      `SELECT number, body FROM action WHERE number < $1 ${monitorId === null ? '' : 'AND monitor_id = $3'}
       ORDER BY number DESC LIMIT $2`,
      [after ?? Number.MAX_SAFE_INTEGER, limit + 1, ...(monitorId === null ? [] : [monitorId])],
    )
    const actions = rows.slice(0, limit).map(({ number, body }) => ({ number, action: actionOf(body) }))
    return { actions, more: rows.length > limit }
  }

  async readAction(id: string): Promise<Action | null> {
    const row = await this.#pool.one<Body>('SELECT body FROM action WHERE id = $1', [id])
    return row === null ? null : actionOf(row.body)
  }

  async readIncarnations(actionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#pool.query<{ id: string; incarnation: string }>(
      'SELECT id, incarnation FROM action WHERE id = ANY ($1::text[]) AND incarnation IS NOT NULL',
      [actionIds],
    )
    return new Map(rows.map(({ id, incarnation }) => [id, incarnation]))
  }

  async listIncidents({ monitorId, upTo, after, limit }: IncidentQuery): Promise<IncidentPage> {
    const rows = await this.#pool.query<IncidentRow>(
      `SELECT ${incidentColumns} FROM incident WHERE opened <= $1 ${
        monitorId === null
          ? ''
          : 'AND numeric_id = (SELECT min(numeric_id) FROM identity WHERE monitor_id = $3)'
      } ORDER BY opened DESC LIMIT $2`,
      [
        ...[Math.min(upTo, (after ?? Number.MAX_SAFE_INTEGER) - 1), limit + 1],
        ...(monitorId === null ? [] : [monitorId]),
      ],
    )
    const incidents = rows.slice(0, limit).map((row) => asOf(storedIncident(row), upTo))
    return { incidents, more: rows.length > limit }
  }

  async readIncident(id: string): Promise<StoredIncident | null> {
    const row = await this.#pool.one<IncidentRow>(`SELECT ${incidentColumns} FROM incident WHERE id = $1`, [
      id,
    ])
    return row === null ? null : storedIncident(row)
  }

  async readRevisions({ monitorId, at }: RevisionQuery): Promise<readonly KeptRevision[]> {
    const rows = await this.#pool.query<KeptRevisionRow>(
      `SELECT DISTINCT ON (kind, id) kind, id, until, body FROM revision
       WHERE (kind = ANY ($1::text[]) OR (kind = 'Monitor' AND id = $2)) AND until > $3 AND until < $4
       ORDER BY kind, id, until`,
      [sharedKinds, monitorId, at, inForce],
    )
    return rows.map(revisionOf)
  }

  async findMonitor(monitorId: string): Promise<number | null> {
    const row = await this.#pool.one<{ found: number | null }>(
      'SELECT min(numeric_id) AS found FROM identity WHERE monitor_id = $1',
      [monitorId],
    )
    return row!.found
  }

  readResource(kind: ResourceKind, id: string): Promise<StoredResource | null> {
    return this.#requests.read(kind, id)
  }

  reseal(values: readonly ResealedValue[]): Promise<readonly number[]> {
    return this.#writer.reseal(values)
  }

  listResources(query: ResourceQuery): Promise<ResourcePage | 'expired'> {
    return listResources(this.#pool, query)
  }

  async readOperation(id: number): Promise<StoredOperation | null> {
    const row = await this.#pool.one<Body>('SELECT body FROM operation WHERE id = $1', [id])
    return row === null ? null : operationOf({ id, body: row.body })
  }

  async readBulk(id: number): Promise<StoredBulk | null> {
    const row = await this.#pool.one<Body>('SELECT body FROM bulk WHERE id = $1', [id])
    return row === null ? null : bulkOf(row.body)
  }

  async openBulk(): Promise<readonly StoredBulk[]> {
    const rows = await this.#pool.query<Body>('SELECT body FROM bulk WHERE ended_at IS NULL ORDER BY id')
    return rows.map(({ body }) => bulkOf(body))
  }

  /** In parts: for a rare state, many operations have to be read. */
  async listBulk(query: BulkQuery): Promise<BulkPage> {
    const found: StoredBulk[] = []
    for (
      let before: number | null = query.after ?? query.upTo + 1;
      before !== null && found.length <= query.limit;
    ) {
      const rows: Body[] = await this.#pool.query<Body>(
        `SELECT body FROM bulk WHERE id < $1 ORDER BY id DESC LIMIT ${bulkAtOnce}`,
        [before],
      )
      const part = rows.map(({ body }) => bulkOf(body))
      found.push(...part.filter((operation) => isListed(operation, query)))
      before = part.length < bulkAtOnce ? null : part.at(-1)!.id
    }
    return { operations: found.slice(0, query.limit), more: found.length > query.limit }
  }

  /** Chunks may be short, so it requests as many as a page needs. */
  async readOutcomes(id: number, from: number, limit: number): Promise<OutcomePage> {
    for (let chunks = 2; ; chunks *= 2) {
      const rows = await this.#pool.query<OutcomeRow>(
        `SELECT place AS first, body FROM bulk_outcome WHERE operation = $1 AND place >= coalesce(
           (SELECT max(place) FROM bulk_outcome WHERE operation = $1 AND place <= $2), 0)
         ORDER BY place LIMIT $3`,
        [id, from, chunks],
      )
      const page = outcomePageOf(rows, from, limit)
      if (page.more || rows.length < chunks) return page
    }
  }

  async readExecution(id: string): Promise<StoredExecution | null> {
    return (await this.readExecutions([id]))[0] ?? null
  }

  async readExecutions(ids: readonly string[]): Promise<readonly StoredExecution[]> {
    const rows = await this.#pool.query<Body>(
      `SELECT body FROM execution JOIN unnest($1::text[]) WITH ORDINALITY AS wanted (of_id, place) ON id = of_id
       ORDER BY place`,
      [ids],
    )
    return rows.map(({ body }) => executionOf(body))
  }

  async readStatements(executionId: string): Promise<readonly WorkerStatement[]> {
    const rows = await this.#pool.query<Body & { id: string }>(
      'SELECT id, body FROM worker_statement WHERE execution = $1 ORDER BY id',
      [executionId],
    )
    return rows.map(({ id, body }) => statementOf({ executionId, id, body }))
  }

  readTrends(query: TrendsQuery): Promise<readonly (readonly NumberedCell[])[]> {
    return readTrends((text, values) => this.#pool.query(text, values), query)
  }

  readTrend(query: TrendQuery): Promise<readonly NumberedCell[]> {
    return readTrend((text, values) => this.#pool.query(text, values), query)
  }

  openBeside(): StoreBeside {
    return openPostgresBeside(this.besideAddress)
  }

  async durability(): Promise<Durability> {
    const row = await this.#pool.one<Durability>(`
      SELECT current_setting('fsync') = 'on' AS fsync, current_setting('synchronous_commit') AS "synchronousCommit",
        current_setting('synchronous_standby_names') AS "synchronousStandbys",
        (SELECT count(*) FROM pg_stat_replication) AS standbys`)
    return row!
  }

  async usage(): Promise<StoreUsage> {
    const row = await this.#pool.oneWithin<Omit<StoreUsage, 'availableBytes' | 'lastBackup'>>(
      usageWithinMs,
      `SELECT history_bytes AS "historyBytes", resources, past_resources AS "pastResources",
        (SELECT count(*) FROM revision) AS revisions,
        (SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class
         WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r') AS bytes FROM head`,
    )
    return { ...row!, availableBytes: null, lastBackup: null }
  }

  retain(now: Instant, rows: number): Promise<number> {
    return this.#writer.retain(now, rows)
  }

  /** Closes after all earlier calls. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#requests.send()
    this.#register?.stop()
    await this.#writer.close()
    await this.#pool[Symbol.asyncDispose]()
  }
}

/** Rejects with `locked` if another process has the store. */
async function takeAtOnce({ writing, run, now, judge }: Claim): Promise<PostgresConnection> {
  const connection = await PostgresConnection.open(writing)
  try {
    await prepareSchema(connection, writing.address.schema)
    await judge(connection)
    await takeOverAtOnce(connection, run, now())
    return connection
  } catch (error) {
    await connection.end()
    throw error
  }
}

async function requireUnmanaged(connection: PostgresConnection): Promise<void> {
  const [head] = await connection.query<{ lastChange: number }>(
    'SELECT last_change AS "lastChange" FROM head',
  )
  if (head!.lastChange > 0) throw storeError('managed')
}

function storedIncident({ opened, body, closed, ended, handled }: IncidentRow): StoredIncident {
  const handling = Object.assign({}, ...handled.map((change) => JSON.parse(change)))
  return incidentOf({
    opened,
    body: JSON.stringify({
      ...JSON.parse(body),
      ...(ended === null ? {} : { closed: { position: closed, ...JSON.parse(ended) } }),
      handling,
    }),
  })
}
