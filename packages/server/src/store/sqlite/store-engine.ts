// store/sqlite/store-engine.ts: the embedded store itself: it owns the data directory and turns batches into
// transactions. Everything is synchronous and blocks, so it runs in its own thread (store-thread.ts). Its state in memory
// changes only after the commit; once the store is found damaged, every call fails with the same error.
import { randomUUID } from 'node:crypto'
import { statfsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { OutcomeRow } from '../bulk-rows.ts'
import { type DataDirectory, dataDirectory, makeDirectory } from '../data-directory.ts'
import type { KeptEscalation } from '../escalation-rows.ts'
import type { StatementRow } from '../execution-rows.ts'
import type { IncidentQuery } from '../incident.ts'
import type { ResealedValue } from '../resource.ts'
import type { OperationRow, ResourceColumns, ResourceKey } from '../resource-rows.ts'
import { type StoreBounds, storeBounds } from '../retention.ts'
import { forgetBefore, lookAtClock, type RetentionClock } from '../retention-clock.ts'
import type { KeptRevisionRow, RevisionQuery } from '../revision.ts'
import type { KeptIncident } from '../rows.ts'
import {
  type ActionQuery,
  type EventQuery,
  type Recovered,
  type StoredBlock,
  StoreError,
  type StoreUsage,
} from '../store.ts'
import type { NumberedCell, OpenTrendBlock, TrendQuery, TrendsQuery } from '../trend.ts'
import type { NumberedBody } from './action-ledger.ts'
import { openDatabase } from './database.ts'
import type { EventRowsPage } from './event-log.ts'
import { FileGuard } from './file-guard.ts'
import type { IdentityBlockRow } from './identity-blocks.ts'
import { readLastBackup } from './last-backup.ts'
import type { ChangesPart, ResourcesPart } from './managed-resources.ts'
import { lockForOwner } from './owner-lock.ts'
import type { KeptState } from './present-tables.ts'
import type { KeptPush } from './push-table.ts'
import { type BatchRows, writeRows } from './record-tables.ts'
import type { PageQuery } from './resource-pages.ts'
import { asStoreError } from './sqlite-errors.ts'
import { StoreTables } from './store-tables.ts'

export interface RecoveredRows {
  readonly position: number
  readonly highestNumericId: number
  readonly retention: RetentionClock
  readonly restoredFrom: Recovered['restoredFrom']
  readonly blocks: readonly StoredBlock[]
  readonly states: readonly KeptState[]
  readonly pushes: readonly KeptPush[]
  readonly escalations: readonly KeptEscalation[]
  readonly revisions: readonly KeptRevisionRow[]
  readonly actions: readonly string[]
  readonly slo: string | null
  readonly destinations: string | null
  readonly epoch: number
  readonly restores: Recovered['restores']
  readonly lastChange: number
  readonly lastOperation: number
  readonly executions: readonly string[]
  readonly trends: readonly OpenTrendBlock[]
  readonly resources: ResourceColumns
}

export interface StoreEngineOptions {
  readonly bounds?: StoreBounds
  readonly open?: typeof openDatabase
  readonly servesResources?: boolean
  /** Names the run that opens the store. */
  readonly run?: string
}

export class StoreEngine {
  readonly #files: DataDirectory
  readonly #lock: Disposable
  readonly #database: DatabaseSync
  readonly #guard: FileGuard
  readonly #tables: StoreTables
  readonly #bounds: StoreBounds
  #broken: StoreError | null = null

  /** As text: only the controller parses it, once. */
  readonly identity: string

  constructor(
    root: string,
    {
      bounds = storeBounds,
      open = openDatabase,
      servesResources = true,
      run = randomUUID(),
    }: StoreEngineOptions = {},
  ) {
    this.#files = dataDirectory(root)
    this.#bounds = bounds
    try {
      makeDirectory(root)
      using opened = new DisposableStack()
      this.#lock = opened.use(lockForOwner(this.#files.ownerLock))
      this.#database = opened.adopt(open(this.#files, servesResources), (database) => database.close())
      // Writes the owner, which detects a read-only store and creates the write-ahead log that the guard needs.
      this.#tables = new StoreTables(this.#database, bounds, run)
      this.#guard = new FileGuard([this.#files.database, this.#files.writeAheadLog, this.#files.ownerLock])
      this.identity = this.#tables.present.identity()
      opened.move()
    } catch (error) {
      throw asStoreError(error)
    }
  }

  commit(batch: BatchRows): { position: number; batch: number } {
    return this.#transact(() => {
      const { next } = this.#tables.log
      this.#tables.resources.lookAtClock(batch.committedAt)
      writeRows(batch, this.#tables)
      const { seenAt, keepsUntil } = lookAtClock(this.#retentionClock, batch.committedAt)
      next.committedAt = seenAt
      next.keepsUntil = keepsUntil
      // The first batch of a run contains all its decisions about what the restored store held.
      next.restoredAt = null
      next.batch++
      return { position: next.position, batch: next.batch }
    })
  }

  recover(changedSince: number): RecoveredRows {
    return this.#read(() => {
      const { position, highestNumericId, committedAt, restoredAt } = this.#tables.log.committed
      return {
        position,
        highestNumericId,
        retention: this.#retentionClock,
        restoredFrom: restoredAt === null || committedAt === null ? null : { backupAt: committedAt },
        blocks: this.#tables.present.blocks(),
        states: this.#tables.present.states(),
        pushes: this.#tables.pushes.all(),
        escalations: this.#tables.escalations.all(),
        revisions: this.#tables.revisions.inForce(),
        actions: this.#tables.actions.toGoOnWith(changedSince),
        slo: this.#tables.present.slo(),
        destinations: this.#tables.present.destinations(),
        epoch: this.#tables.resources.epoch,
        restores: this.#tables.resources.restores,
        lastChange: this.#tables.resources.lastChange,
        lastOperation: Math.max(this.#tables.operations.last, this.#tables.bulk.last),
        executions: this.#tables.executions.open(),
        trends: this.#tables.trendRows.allOpen(),
        resources: this.#tables.resources.others(),
      }
    })
  }

  identitiesAfter(block: number, blocks: number): readonly IdentityBlockRow[] {
    return this.#read(() => this.#tables.identities.following(block, blocks))
  }

  readEvents(query: EventQuery): EventRowsPage {
    return this.#read(() => {
      if (query.monitorId === null) return this.#tables.events.read(query, null)
      const numericId = this.#tables.identities.find(query.monitorId)
      if (numericId !== null) return this.#tables.events.read(query, numericId)
      return { rows: [], more: false, oldest: this.#tables.log.committed.oldest }
    })
  }

  readActions(monitorId: string, limit: number): readonly string[] {
    return this.#read(() => this.#tables.actions.newestOf(monitorId, limit))
  }

  /** Returns one more than asked for, if there is one. */
  listActions({ monitorId, after, limit }: ActionQuery): readonly NumberedBody[] {
    const number = after ?? Number.MAX_SAFE_INTEGER
    return this.#read(() => this.#tables.actions.before(number, monitorId, limit + 1))
  }

  readAction(id: string): string | null {
    return this.#read(() => this.#tables.actions.read(id))
  }

  /** Omits actions that have none. */
  readIncarnations(actionIds: readonly string[]): ReadonlyMap<string, string> {
    return this.#read(() => this.#tables.actions.incarnations(actionIds))
  }

  /** Returns one more than asked for, if there is one. */
  listIncidents({ monitorId, upTo, after, limit }: IncidentQuery): readonly KeptIncident[] {
    return this.#read(() => {
      const numericId = monitorId === null ? null : this.#tables.identities.find(monitorId)
      if (monitorId !== null && numericId === null) return []
      const highest = Math.min(upTo, (after ?? Number.POSITIVE_INFINITY) - 1)
      return this.#tables.incidents.page(numericId, highest, limit + 1)
    })
  }

  readIncident(id: string): KeptIncident | null {
    return this.#read(() => this.#tables.incidents.read(id))
  }

  readRevisions(query: RevisionQuery): readonly KeptRevisionRow[] {
    return this.#read(() => this.#tables.revisions.read(query))
  }

  findMonitor(monitorId: string): number | null {
    return this.#read(() => this.#tables.identities.find(monitorId))
  }

  /** Those that exist. */
  readResources(wanted: readonly ResourceKey[]): ResourceColumns {
    return this.#read(() => this.#tables.resources.read(wanted))
  }

  reseal(values: readonly ResealedValue[]): readonly number[] {
    return this.#transact(() => this.#tables.resources.reseal(values))
  }

  /** A part of a page: it may hold less than asked for even if there is more. */
  listResources(query: PageQuery): ResourcesPart | 'expired' {
    return this.#read(() => this.#tables.resources.page(query))
  }

  monitorsAfter(id: string, count: number): ResourcesPart {
    return this.#read(() => this.#tables.resources.monitorsAfter(id, count))
  }

  monitorsChangedAfter(change: number, count: number): ChangesPart | 'forgotten' {
    return this.#read(() => this.#tables.resources.monitorsChangedAfter(change, count))
  }

  readOperation(id: number): OperationRow | null {
    return this.#read(() => this.#tables.operations.read(id))
  }

  readBulk(id: number): string | null {
    return this.#read(() => this.#tables.bulk.read(id))
  }

  openBulk(): readonly string[] {
    return this.#read(() => this.#tables.bulk.open())
  }

  newestBulk(before: number, count: number): readonly string[] {
    return this.#read(() => this.#tables.bulk.newest(before, count))
  }

  readOutcomes(id: number, from: number, chunks: number): readonly OutcomeRow[] {
    return this.#read(() => this.#tables.bulk.outcomes(id, from, chunks))
  }

  readExecution(id: string): string | null {
    return this.#read(() => this.#tables.executions.read(id))
  }

  /** Those that exist. */
  readExecutions(ids: readonly string[]): readonly string[] {
    return this.#read(() => ids.flatMap((id) => this.#tables.executions.read(id) ?? []))
  }

  readStatements(executionId: string): readonly StatementRow[] {
    return this.#read(() => this.#tables.statements.read(executionId))
  }

  readTrend(query: TrendQuery): readonly NumberedCell[] {
    return this.#read(() => this.#tables.trends.read(query))
  }

  readTrends(query: TrendsQuery): readonly (readonly NumberedCell[])[] {
    return this.#read(() => this.#tables.trends.readMany(query))
  }

  usage(): StoreUsage {
    return this.#read(() => {
      const { database, writeAheadLog, sharedMemory, root, lastBackup } = this.#files
      const sizes = [database, writeAheadLog, sharedMemory].map(
        (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
      )
      const { bavail, bsize } = statfsSync(root)
      return {
        bytes: sizes.reduce((sum, size) => sum + size),
        historyBytes: this.#tables.log.committed.historyBytes,
        availableBytes: bavail * bsize,
        lastBackup: readLastBackup(lastBackup),
        resources: this.#tables.resources.total.present,
        pastResources: this.#tables.resources.total.past,
        revisions: this.#tables.revisions.count,
      }
    })
  }

  /** What is kept only for minutes goes first: it grows fastest. */
  retain(now: number, rows: number): number {
    return this.#transact(() => {
      let left = rows - this.#tables.resources.retain(now, rows)
      const forgotten = this.#tables.executions.retain(now, left)
      this.#tables.statements.forget(forgotten)
      left -= forgotten.length
      left -= this.#tables.operations.retain(this.#bounds.operations, left)
      if (left > 0) left -= this.#tables.trends.addUpDays(now, this.#tables.log.committed.highestNumericId)
      left -= this.#retainHistory(now, left)
      return rows - left
    })
  }

  close(): void {
    try {
      if (this.#broken === null) this.#transact(() => this.#tables.events.writeHeads())
    } catch {
      // The next start reads the log instead.
    }
    this.#database.close()
    this.#lock[Symbol.dispose]()
  }

  /** Events first: a monitor is removed only after its last event. */
  #retainHistory(now: number, rows: number): number {
    const olderThan = forgetBefore(this.#retentionClock, now)
    if (olderThan === null || rows <= 0) return 0
    let left = rows - this.#tables.trends.forget(now, rows)
    const { removed: events, misdatedActions } = this.#tables.events.retain(olderThan, now, left)
    this.#tables.actions.removeMisdated(misdatedActions, now)
    left -= events
    if (left > 0) left -= this.#tables.actions.retain(olderThan, left)
    if (left > 0) left -= this.#tables.incidents.retain(this.#tables.log.next.oldest, left)
    if (left > 0) left -= this.#tables.bulk.retain(olderThan, left)
    if (left > 0) left -= this.#tables.revisions.retain(olderThan, left)
    const isNeeded = (numericId: number) => this.#tables.events.hasEvents(numericId)
    if (left > 0) left -= this.#tables.identities.retain(olderThan, left, isNeeded)
    return rows - left
  }

  get #retentionClock(): RetentionClock {
    const { committedAt, keepsUntil } = this.#tables.log.committed
    return { seenAt: committedAt, keepsUntil }
  }

  #read<Result>(work: () => Result): Result {
    if (this.#broken !== null) throw this.#broken
    try {
      this.#guard.requireSame()
      return work()
    } catch (error) {
      throw this.#remember(error)
    }
  }

  #transact<Result>(work: () => Result): Result {
    return this.#read(() => {
      try {
        this.#database.exec('BEGIN IMMEDIATE')
        this.#tables.log.requireOwn()
        const result = work()
        this.#tables.log.write()
        this.#database.exec('COMMIT')
        // Checked after the commit too: a write to a removed file must not count as committed.
        this.#guard.requireSame()
        this.#tables.settle()
        return result
      } catch (error) {
        this.#tables.discard()
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
        throw error
      }
    })
  }

  #remember(error: unknown): unknown {
    const known = asStoreError(error)
    if (known instanceof StoreError && !known.recovers) this.#broken = known
    return known
  }
}
