// store/store.ts: where decisions are kept. One interface for the embedded store and for memory; a contract suite
// holds both to it. A batch is committed whole or not at all, in the order in which batches were given; when the
// promise resolves it is on disk. Nothing outside the process may happen before that.
import type { ResourceKind } from '@pulseward/contract/v2/kinds'
import type { Action } from '../deciding/actions/action.ts'
import type { DestinationRecord } from '../deciding/actions/destination.ts'
import type { RecordedBecause } from '../deciding/health/because.ts'
import type { Health, Instant } from '../deciding/health/health.ts'
import type { SloSnapshot } from '../slo/slo-snapshot.ts'
import type { BesideAddress, StoreBeside } from './beside.ts'
import type { BulkPage, BulkQuery, BulkWrite, OutcomePage, StoredBulk } from './bulk.ts'
import type { StoreRestore } from './epoch.ts'
import type { StoredExecution, WorkerStatement } from './execution.ts'
import type { IncidentPage, IncidentQuery, StoredIncident } from './incident.ts'
import type {
  MonitorChanges,
  ResealedValue,
  ResourcePage,
  ResourceQuery,
  ResourceWrite,
  StoredOperation,
  StoredResource,
} from './resource.ts'
import type { RetentionClock } from './retention-clock.ts'
import type { NumberedCell, OpenTrendBlock, TrendQuery, TrendWrite } from './trend.ts'

/** An event as it is kept; its position in the log is given by the commit. */
export interface StoredEvent {
  /** Null for events of the service itself. */
  readonly monitorId: string | null
  /** Of the same monitor; null with it. The events of a monitor are chained by it. */
  readonly numericId: number | null
  readonly at: Instant
  readonly type: string
  readonly revision: number | null
  readonly incidentId: string | null
  readonly actionId: string | null
  readonly kind: string | null
  readonly color: string | null
  readonly endpoint: string | null
  readonly outcome: string | null
  readonly actor: string | null
  /** Words or figures that belong to it; JSON. */
  readonly detail: object | null
  /** Why it was decided; null for what is no decision, and in events of versions that kept no reasons. */
  readonly because: RecordedBecause
  /**
   * The resource that was created, changed or deleted. An event about a monitor also has its `monitorId` and
   * `numericId`, so that the history of the monitor shows it.
   */
  readonly resource?: EventResource
  /** What was changed in it; never a secret. */
  readonly changes?: readonly EventChange[]
}

export interface EventResource {
  readonly kind: ResourceKind
  readonly id: string
  readonly uid: string
}

/** Whether it tells of a write to a resource. */
export function isResourceEvent({ resource }: StoredEvent): boolean {
  return resource !== undefined
}

/** A value that was not there before, or is not there after, is left out. */
export interface EventChange {
  readonly field: string
  readonly before?: unknown
  readonly after?: unknown
}

/** Defaults for an event's nullable fields. */
export const emptyEvent: Pick<StoredEvent, NullableKeys<StoredEvent>> = {
  monitorId: null,
  numericId: null,
  revision: null,
  incidentId: null,
  actionId: null,
  kind: null,
  color: null,
  endpoint: null,
  outcome: null,
  actor: null,
  detail: null,
  because: null,
}

type NullableKeys<T> = { [Key in keyof T]-?: null extends T[Key] ? Key : never }[keyof T]

/** Who a monitor is, over restarts and renames: its number never changes and is never given to another. */
export interface StoredIdentity {
  readonly monitorId: string
  readonly numericId: number
  readonly revision: number
  /** Of check, recovery, notify, maintenance, depends_on and enabled; another one means a new revision. */
  readonly fingerprint: string
  /** Of check.type and check.config alone. */
  readonly checkFingerprint: string
  readonly removedAt: Instant | null
  /**
   * The last revision that controls gave to an earlier incarnation, or to the one that has left; absent where there was
   * none. The next incarnation goes on above it.
   */
  readonly controlsBefore?: number
}

/** Columns of a run of consecutive numeric ids: counters and the like, written as one blob. */
export interface StoredBlock {
  readonly block: number
  readonly bytes: Uint8Array
}

export interface StoredState {
  readonly numericId: number
  /** Null: the monitor needs no state of its own any more. */
  readonly health: Health | null
}

/** Its members are the types of records; record-types.ts says how each is collected, merged and counted. */
export interface CommitBatch {
  readonly identities: readonly StoredIdentity[]
  /** A monitor's identity is committed with or before its first event. */
  readonly events: readonly StoredEvent[]
  readonly actions: readonly Action[]
  readonly states: readonly StoredState[]
  readonly blocks: readonly StoredBlock[]
  readonly slo: SloSnapshot | null
  /** Of all destinations that are not simply well; null when that has not changed. */
  readonly destinations: readonly DestinationRecord[] | null
  /** In the order of their changes, after all changes that were committed before. */
  readonly resources: readonly ResourceWrite[]
  /** One that is known already is replaced. */
  readonly operations: readonly StoredOperation[]
  /** Operations of many items, as far as they have come. */
  readonly bulk: readonly BulkWrite[]
  /** Jobs of workers outside the service, each in its last state. */
  readonly executions: readonly StoredExecution[]
  /** What workers said of jobs, each once. */
  readonly statements: readonly WorkerStatement[]
  /** Blocks of trends, in the order in which they were written. */
  readonly trends: readonly TrendWrite[]
}

/** Whether a batch is kept while writing fails, until it works again, or is given back to its caller. */
export type BatchKind = 'kept' | 'withdrawable'

export interface Committed {
  /** Of the last event in the log, after this batch; it only grows. */
  readonly position: number
  readonly latencyMs: number
}

/** A commit of the store itself. */
export interface CommittedBatch extends Committed {
  /** Batches of a run are counted from 1. */
  readonly batch: number
}

/** All that the next process continues with. */
export interface Recovered {
  readonly position: number
  /** The highest that was ever given, also to monitors that are forgotten; -1 for none. */
  readonly highestNumericId: number
  /** In order of their numbers. A million of them: in chunks, so that neither side holds them all as objects at once. */
  readonly identities: AsyncIterable<readonly StoredIdentity[]>
  readonly blocks: readonly StoredBlock[]
  readonly states: readonly { readonly numericId: number; readonly health: Health }[]
  /**
   * Queued, started and unknown ones, those of untold incidents and owed greens, and those changed in the last
   * `recentMs`, which cooldowns are measured by.
   */
  readonly actions: readonly Action[]
  readonly slo: SloSnapshot | null
  readonly destinations: readonly DestinationRecord[]
  /** How far back history goes by now, as the previous process left it. */
  readonly retention: RetentionClock
  /**
   * The store was restored and no process has committed to it since: what is queued in it was queued at the time of the
   * backup, and may have been carried out since.
   */
  readonly restoredFrom: { readonly backupAt: Instant } | null
  /** Which life of the store this is: another one after every restore. A version is the epoch and a change. */
  readonly epoch: number
  /** Oldest first. */
  readonly restores: readonly StoreRestore[]
  /** The number of the last change of a resource; 0 before the first. */
  readonly lastChange: number
  /** The number of the last operation; 0 before the first. */
  readonly lastOperation: number
  /** Jobs that workers were granted and that have not ended, by id. */
  readonly executions: readonly StoredExecution[]
  /** Blocks of trends that the previous process was filling. */
  readonly trends: readonly OpenTrendBlock[]
  /** All that are not monitors, by kind and id. */
  readonly resources: readonly StoredResource[]
  /** Managed monitors in the order of their ids. A million of them: in chunks, as the identities. */
  readonly monitors: AsyncIterable<readonly StoredResource[]>
  /**
   * What happened to monitors after this change: all of it, or `forgotten` when the store does not know that any more
   * and `monitors` have to be read.
   */
  changedMonitors(sinceChange: number): Promise<AsyncIterable<MonitorChanges> | 'forgotten'>
}

export interface EventQuery {
  readonly monitorId: string | null
  readonly order: 'asc' | 'desc'
  /** Events beyond this position are not seen. */
  readonly upTo: number
  /** Exclusive: where the last page ended; null for the first page. */
  readonly after: number | null
  readonly limit: number
  /** Events that tell of a write to a resource are not seen, and cost the reader nothing, however many there are. */
  readonly withoutResources?: boolean
}

export interface EventPage {
  readonly events: readonly (StoredEvent & { readonly position: number })[]
  readonly more: boolean
  /** The oldest position that retention has left. */
  readonly oldest: number
}

export interface ActionQuery {
  /** Null for the actions of all monitors, and those of none. */
  readonly monitorId: string | null
  /** Exclusive: the number of the last one of the page before; null for the first page. */
  readonly after: number | null
  readonly limit: number
}

export interface ActionPage {
  /** The newest first, each as it last was, under a number that it keeps. */
  readonly actions: readonly { readonly number: number; readonly action: Action }[]
  readonly more: boolean
}

/** Which store this is, over restarts, backups and restores; no other store has the same. */
export interface StoreIdentity {
  readonly id: string
  /** Signs what the service hands out and must recognize later. Never leaves the service. */
  readonly key: Uint8Array
}

export interface StoreUsage {
  readonly bytes: number
  readonly historyBytes: number
  readonly availableBytes: number | null
  readonly lastBackup: LastBackup | null
  /** Managed resources of all kinds. */
  readonly resources: number
  /** Versions of them that were replaced or deleted and can still be listed. */
  readonly pastResources: number
}

export interface LastBackup {
  readonly at: Instant
  readonly verified: boolean
}

export type StoreProblem =
  | 'full'
  | 'io'
  | 'gone'
  | 'corrupt'
  | 'newer_format'
  | 'managed'
  | 'locked'
  | 'fenced'
  | 'closed'

/** Why the store cannot do something; `recovers` when trying again later may work by itself. */
export class StoreError extends Error {
  readonly problem: StoreProblem
  readonly recovers: boolean
  constructor(problem: StoreProblem, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StoreError'
    this.problem = problem
    this.recovers = problem === 'full' || problem === 'io'
  }
}

export interface Store {
  /** Which kind of store it is, for people. */
  readonly mode: 'sqlite' | 'memory'
  /** What is committed outlives the process. */
  readonly isDurable: boolean
  readonly identity: StoreIdentity
  /**
   * Names this opening of the store; no other has the same name. When another run takes the store over, this one is fenced:
   * it rejects everything with `fenced`, and its process must end.
   */
  readonly run: string
  recover(recentMs: number): Promise<Recovered>
  /** Rejects with a StoreError; then nothing of the batch is there, and the same batch may be given again. */
  commit(batch: CommitBatch): Promise<CommittedBatch>
  readEvents(query: EventQuery): Promise<EventPage>
  /** Actions of one monitor, newest first. */
  readActions(monitorId: string, limit: number): Promise<readonly Action[]>
  /** Actions that are queued while the pages of a list are read come before its first page, so none of them is in it. */
  listActions(query: ActionQuery): Promise<ActionPage>
  /** Null for one that never was, and for one that is no longer kept. */
  readAction(id: string): Promise<Action | null>
  /**
   * The uids of the monitors that actions were made for, by action. Empty where no managed monitor had the id then; none
   * for actions without a monitor and for those of earlier versions.
   */
  readIncarnations(actionIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  listIncidents(query: IncidentQuery): Promise<IncidentPage>
  /** Null for one that never was, and for one that is no longer kept. */
  readIncident(id: string): Promise<StoredIncident | null>
  /** The number of a monitor that is known or has retained events; null for any other. */
  findMonitor(monitorId: string): Promise<number | null>
  /** As it was last committed; null when there is none. */
  readResource(kind: ResourceKind, id: string): Promise<StoredResource | null>
  /**
   * Puts values of credentials into other envelopes, all of them or none: no change, no event, no other version. Answers
   * with the changes of those that were; a version that was replaced since, or is not committed yet, stays as it is.
   * Versions of the past are not touched: their values are never opened again.
   */
  reseal(values: readonly ResealedValue[]): Promise<readonly number[]>
  /** `expired` when versions that the list needs are no longer kept. */
  listResources(query: ResourceQuery): Promise<ResourcePage | 'expired'>
  /** Null for one that never was, and for one that is no longer kept. */
  readOperation(id: number): Promise<StoredOperation | null>
  /** Null for one that never was, and for one that is no longer kept. */
  readBulk(id: number): Promise<StoredBulk | null>
  /** Operations of many items that have not ended, the oldest first. */
  openBulk(): Promise<readonly StoredBulk[]>
  listBulk(query: BulkQuery): Promise<BulkPage>
  /** Outcomes from this place on, in the order of the items. */
  readOutcomes(id: number, from: number, limit: number): Promise<OutcomePage>
  /** Null for one that was never granted, and for one that is no longer kept. */
  readExecution(id: string): Promise<StoredExecution | null>
  /** Those of them that are kept. */
  readExecutions(ids: readonly string[]): Promise<readonly StoredExecution[]>
  /** All that its worker said of it, in the order of their ids. */
  readStatements(executionId: string): Promise<readonly WorkerStatement[]>
  /** Cells of one monitor, or of the fleet, in which something was counted, in order. Days that are not over have none yet. */
  readTrend(query: TrendQuery): Promise<readonly NumberedCell[]>
  /** What other threads open it by; null when only this one can. */
  readonly besideAddress: BesideAddress | null
  /** For work in this thread that goes on beside commits. */
  openBeside(): StoreBeside
  usage(): Promise<StoreUsage>
  /**
   * Removes what is too old by now, and adds up days of trends that are over, at most so many rows. Says how many; 0 when
   * there is nothing left.
   */
  retain(now: Instant, rows: number): Promise<number>
  [Symbol.asyncDispose](): Promise<void>
}
