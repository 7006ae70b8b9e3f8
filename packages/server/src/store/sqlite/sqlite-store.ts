// store/sqlite/sqlite-store.ts: the embedded store as the controller sees it. Converts records to rows and
// back, and sends them to the store thread; nothing here waits for a disk.

import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { kindNumber, type ResourceKind } from '@pulseward/contract/v2/kinds'
import type { Action } from '../../deciding/actions/action.ts'
import type { Instant } from '../../deciding/health/health.ts'
import { callsTo, type Thread, type ThreadCalls } from '../../platform/thread-calls.ts'
import type { BesideAddress, StoreBeside } from '../beside.ts'
import { type BulkPage, type BulkQuery, isListed, type OutcomePage, type StoredBulk } from '../bulk.ts'
import { bulkOf, outcomePageOf } from '../bulk-rows.ts'
import { escalationOf } from '../escalation-rows.ts'
import type { StoredExecution, WorkerStatement } from '../execution.ts'
import { executionOf, statementOf } from '../execution-rows.ts'
import { asOf, type IncidentPage, type IncidentQuery, type StoredIncident } from '../incident.ts'
import { pushOf } from '../push.ts'
import type {
  MonitorChanges,
  ResealedValue,
  ResourcePage,
  ResourceQuery,
  StoredOperation,
  StoredResource,
} from '../resource.ts'
import { ResourceRequests } from '../resource-requests.ts'
import { operationOf, resourcesOf } from '../resource-rows.ts'
import { type StoreBounds, storeBounds } from '../retention.ts'
import { type KeptRevision, type RevisionQuery, revisionOf } from '../revision.ts'
import { actionOf, destinationsOf, eventOf, healthOf, incidentOf, sloOf, storeIdentityOf } from '../rows.ts'
import type {
  ActionPage,
  ActionQuery,
  CommitBatch,
  CommittedBatch,
  EventPage,
  EventQuery,
  Recovered,
  Store,
  StoredIdentity,
  StoreIdentity,
  StoreUsage,
} from '../store.ts'
import { storeError, storeErrorForm } from '../store-errors.ts'
import type { NumberedCell, TrendQuery, TrendsQuery } from '../trend.ts'
import type { Method, StoreThreadSetup } from './answer-requests.ts'
import { addressOf, openSqliteBeside } from './beside.ts'
import { identitiesOf } from './identity-blocks.ts'
import { batchRows } from './record-tables.ts'
import type { PageQuery } from './resource-pages.ts'
import type { StoreEngine } from './store-engine.ts'

type Arguments<Name extends Method> = Parameters<StoreEngine[Name]>
type Answer<Name extends Method> = ReturnType<StoreEngine[Name]>

export interface SqliteStoreOptions {
  readonly directory: string
  readonly now: () => Instant
  readonly bounds?: StoreBounds
  /** If false, a store with resources written through v2 is refused and left unchanged. */
  readonly servesResources?: boolean
  /** Starts the side that answers the requests; a thread by default. */
  readonly startThread?: (setup: StoreThreadSetup) => Thread
}

/** Identity blocks per message: some thousand monitors. */
const blocksAtOnce = 16
/** Monitors per message: a megabyte or two. */
const monitorsAtOnce = 2_000
const bulkAtOnce = 500

/** The thread holds little besides SQLite's own cache. */
const threadMemory = { maxYoungGenerationSizeMb: 12 }

function startWorker(setup: StoreThreadSetup): Thread {
  return new Worker(new URL('store-thread.ts', import.meta.url), {
    workerData: setup,
    resourceLimits: threadMemory,
    name: 'store',
  })
}

export class SqliteStore implements Store {
  readonly mode = 'sqlite'
  readonly isDurable = true
  readonly besideAddress: BesideAddress
  readonly run = randomUUID()
  /** Set by `open`. */
  #identity!: StoreIdentity
  readonly #now: () => Instant
  readonly #calls: ThreadCalls
  readonly #requests = new ResourceRequests(async (wanted) => {
    const keys = wanted.map(({ kind, id }) => ({ kind: kindNumber(kind), id }))
    return resourcesOf(await this.#call('readResources', keys))
  })
  readonly #ended: Promise<void>
  #closing: Promise<void> | null = null

  /** Rejects with a StoreError if the directory is owned, or its store is damaged, too new or not writable. */
  static async open(options: SqliteStoreOptions): Promise<SqliteStore> {
    const store = new SqliteStore(options)
    store.#identity = storeIdentityOf((await store.#calls.call('open', [])) as string)
    return store
  }

  private constructor({
    directory,
    now,
    bounds = storeBounds,
    servesResources = true,
    startThread = startWorker,
  }: SqliteStoreOptions) {
    this.#now = now
    this.besideAddress = addressOf(directory)
    const thread = startThread({ directory, bounds, servesResources, run: this.run })
    const lost = (crash: Error | null) =>
      storeError('closed', crash === null ? '' : `(its thread crashed: ${crash.message})`)
    this.#calls = callsTo(thread, lost, { errors: storeErrorForm })
    this.#ended = new Promise((resolve) => void thread.on('exit', resolve))
  }

  get identity(): StoreIdentity {
    return this.#identity
  }

  async commit(batch: CommitBatch): Promise<CommittedBatch> {
    const began = performance.now()
    const { position, batch: number } = await this.#call('commit', batchRows(batch, this.#now()))
    return { position, batch: number, latencyMs: performance.now() - began }
  }

  async recover(recentMs: number): Promise<Recovered> {
    const {
      states,
      pushes,
      escalations,
      revisions,
      actions,
      slo,
      destinations,
      executions,
      resources,
      ...rest
    } = await this.#call('recover', this.#now() - recentMs)
    return {
      ...rest,
      states: states.map(({ numericId, body }) => ({ numericId, health: healthOf(body) })),
      pushes: pushes.map(({ numericId, body }) => ({ numericId, push: pushOf(body) })),
      escalations: escalations.map(escalationOf),
      revisions: revisions.map(revisionOf),
      actions: actions.map(actionOf),
      slo: slo === null ? null : sloOf(slo),
      destinations: destinations === null ? [] : destinationsOf(destinations),
      identities: this.#identities(),
      executions: executions.map(executionOf),
      resources: resourcesOf(resources),
      monitors: this.#monitors(),
      changedMonitors: (sinceChange) => this.#changedMonitors(sinceChange),
    }
  }

  async readEvents(query: EventQuery): Promise<EventPage> {
    const { rows, more, oldest } = await this.#call('readEvents', query)
    return { events: rows.map(({ position, body }) => ({ ...eventOf(body), position })), more, oldest }
  }

  async readActions(monitorId: string, limit: number): Promise<readonly Action[]> {
    return (await this.#call('readActions', monitorId, limit)).map(actionOf)
  }

  async listActions(query: ActionQuery): Promise<ActionPage> {
    const rows = await this.#call('listActions', query)
    const actions = rows.slice(0, query.limit).map(({ number, body }) => ({ number, action: actionOf(body) }))
    return { actions, more: rows.length > query.limit }
  }

  async readAction(id: string): Promise<Action | null> {
    const body = await this.#call('readAction', id)
    return body === null ? null : actionOf(body)
  }

  readIncarnations(actionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#call('readIncarnations', actionIds)
  }

  async listIncidents(query: IncidentQuery): Promise<IncidentPage> {
    const { upTo, limit } = query
    const rows = await this.#call('listIncidents', query)
    const incidents = rows.slice(0, limit).map((row) => asOf(incidentOf(row), upTo))
    return { incidents, more: rows.length > limit }
  }

  async readIncident(id: string): Promise<StoredIncident | null> {
    const row = await this.#call('readIncident', id)
    return row === null ? null : incidentOf(row)
  }

  async readRevisions(query: RevisionQuery): Promise<readonly KeptRevision[]> {
    return (await this.#call('readRevisions', query)).map(revisionOf)
  }

  findMonitor(monitorId: string): Promise<number | null> {
    return this.#call('findMonitor', monitorId)
  }

  readResource(kind: ResourceKind, id: string): Promise<StoredResource | null> {
    return this.#requests.read(kind, id)
  }

  reseal(values: readonly ResealedValue[]): Promise<readonly number[]> {
    return this.#call('reseal', values)
  }

  /** In parts, so that commits can run in between. */
  async listResources({ kind, afterId, limit, ...rest }: ResourceQuery): Promise<ResourcePage | 'expired'> {
    const resources: StoredResource[] = []
    for (let after: string | null = afterId ?? ''; after !== null && resources.length <= limit; ) {
      const wanted = limit + 1 - resources.length
      const asked: PageQuery = { ...rest, kind: kindNumber(kind), after, limit: wanted }
      const part = await this.#call('listResources', asked)
      if (part === 'expired') return 'expired'
      for (const resource of resourcesOf(part)) resources.push(resource)
      after = part.upTo
    }
    return { resources: resources.slice(0, limit), more: resources.length > limit }
  }

  async readOperation(id: number): Promise<StoredOperation | null> {
    const row = await this.#call('readOperation', id)
    return row === null ? null : operationOf(row)
  }

  async readBulk(id: number): Promise<StoredBulk | null> {
    const body = await this.#call('readBulk', id)
    return body === null ? null : bulkOf(body)
  }

  async openBulk(): Promise<readonly StoredBulk[]> {
    return (await this.#call('openBulk')).map(bulkOf)
  }

  /** In parts, so that commits can run in between: for a rare state, many operations have to be read. */
  async listBulk(query: BulkQuery): Promise<BulkPage> {
    const found: StoredBulk[] = []
    for (
      let before: number | null = query.after ?? query.upTo + 1;
      before !== null && found.length <= query.limit;
    ) {
      const part: StoredBulk[] = (await this.#call('newestBulk', before, bulkAtOnce)).map(bulkOf)
      found.push(...part.filter((operation) => isListed(operation, query)))
      before = part.length < bulkAtOnce ? null : (part.at(-1)?.id ?? null)
    }
    return { operations: found.slice(0, query.limit), more: found.length > query.limit }
  }

  /** Chunks may be short, so it requests as many as a page needs. */
  async readOutcomes(id: number, from: number, limit: number): Promise<OutcomePage> {
    for (let chunks = 2; ; chunks *= 2) {
      const rows = await this.#call('readOutcomes', id, from, chunks)
      const page = outcomePageOf(rows, from, limit)
      if (page.more || rows.length < chunks) return page
    }
  }

  async readExecution(id: string): Promise<StoredExecution | null> {
    const body = await this.#call('readExecution', id)
    return body === null ? null : executionOf(body)
  }

  async readExecutions(ids: readonly string[]): Promise<readonly StoredExecution[]> {
    return (await this.#call('readExecutions', ids)).map(executionOf)
  }

  async readStatements(executionId: string): Promise<readonly WorkerStatement[]> {
    return (await this.#call('readStatements', executionId)).map(statementOf)
  }

  readTrend(query: TrendQuery): Promise<readonly NumberedCell[]> {
    return this.#call('readTrend', query)
  }

  readTrends(query: TrendsQuery): Promise<readonly (readonly NumberedCell[])[]> {
    return this.#call('readTrends', query)
  }

  openBeside(): StoreBeside {
    return openSqliteBeside(this.besideAddress)
  }

  usage(): Promise<StoreUsage> {
    return this.#call('usage')
  }

  retain(now: Instant, rows: number): Promise<number> {
    return this.#call('retain', now, rows)
  }

  /** Closes after all earlier calls. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#requests.send()
    if (this.#calls.ended === null) await this.#call('close')
    await this.#ended
  }

  async *#identities(): AsyncIterable<readonly StoredIdentity[]> {
    let reading = this.#call('identitiesAfter', -1, blocksAtOnce)
    for (;;) {
      const blocks = await reading
      if (blocks.length === 0) return
      // The thread reads ahead while this chunk is decoded; if the caller stops iterating, the rejection must
      // not be unhandled.
      reading = this.#call('identitiesAfter', blocks.at(-1)!.block, blocksAtOnce)
      reading.catch(() => undefined)
      yield blocks.flatMap(({ rows }) => identitiesOf(rows))
    }
  }

  async *#monitors(): AsyncIterable<readonly StoredResource[]> {
    const read = (after: string) => this.#call('monitorsAfter', after, monitorsAtOnce)
    let reading: ReturnType<typeof read> | null = read('')
    while (reading !== null) {
      const part: Answer<'monitorsAfter'> = await reading
      reading = part.upTo === null ? null : read(part.upTo)
      reading?.catch(() => undefined)
      if (part.ids.length > 0) yield resourcesOf(part)
    }
  }

  async #changedMonitors(sinceChange: number): Promise<AsyncIterable<MonitorChanges> | 'forgotten'> {
    const read = (since: number) => this.#call('monitorsChangedAfter', since, monitorsAtOnce)
    const first = await read(sinceChange)
    if (first === 'forgotten') return 'forgotten'
    return (async function* () {
      for (let part = first; ; ) {
        yield { written: resourcesOf(part), deletedIds: part.deletedIds }
        if (part.upTo === null) return
        const next = await read(part.upTo)
        if (next === 'forgotten') throw new Error('Changes of monitors were forgotten while they were read.')
        part = next
      }
    })()
  }

  #call<Name extends Method>(method: Name, ...given: Arguments<Name>): Promise<Answer<Name>> {
    return this.#calls.call(method, given) as Promise<Answer<Name>>
  }
}
