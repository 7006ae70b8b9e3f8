// store/store.ts: where decisions are kept. One interface for the embedded store and for memory; a contract
// suite tests both. A batch is committed as a whole or not at all, in the order in which batches were given;
// when the promise resolves, it is on disk. No effect outside the process may happen before that.
import type { ResourceKind } from '@pulseward/contract/v2/kinds'
import type { Action } from '../deciding/actions/action.ts'
import type { DestinationRecord } from '../deciding/actions/destination.ts'
import type { RecordedBecause } from '../deciding/health/because.ts'
import type { Health, Instant } from '../deciding/health/health.ts'
import type { EscalationRecord } from '../deciding/on-call/page.ts'
import type { SloSnapshot } from '../slo/slo-snapshot.ts'
import type { BesideAddress, StoreBeside } from './beside.ts'
import type { BulkPage, BulkQuery, BulkWrite, OutcomePage, StoredBulk } from './bulk.ts'
import type { StoreRestore } from './epoch.ts'
import type { StoredExecution, WorkerStatement } from './execution.ts'
import type { IncidentPage, IncidentQuery, StoredIncident } from './incident.ts'
import type { PushRecord, StoredPush } from './push.ts'
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
import type { KeptRevision, RevisionQuery, StoredRevision } from './revision.ts'
import type { SharedAccess } from './shared-access.ts'
import type { Sharing } from './standing.ts'
import type { NumberedCell, OpenTrendBlock, TrendQuery, TrendsQuery, TrendWrite } from './trend.ts'

/** An event as it is kept; the commit assigns its position in the log. */
export interface StoredEvent {
  /** Null for events of the service itself. */
  readonly monitorId: string | null
  /** The number of the same monitor, which chains its events; null if monitorId is. */
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
  /** Text or figures about the event; JSON. */
  readonly detail: object | null
  /** Why it was decided; null for an event that is not a decision, and for events of versions that kept no reasons. */
  readonly because: RecordedBecause
  /**
   * The resource that was created, changed or deleted. An event about a monitor also has its `monitorId` and
   * `numericId`, so that the history of the monitor shows it.
   */
  readonly resource?: EventResource
  /** What changed in it; never contains a secret. */
  readonly changes?: readonly EventChange[]
}

export interface EventResource {
  readonly kind: ResourceKind
  readonly id: string
  readonly uid: string
}

/** Whether the event is about a write to a resource. */
export function isResourceEvent({ resource }: StoredEvent): boolean {
  return resource !== undefined
}

/** `before` or `after` is omitted if there was no value. */
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

/** The identity of a monitor across restarts and renames: its number never changes and is never reused. */
export interface StoredIdentity {
  readonly monitorId: string
  readonly numericId: number
  readonly revision: number
  /** Covers check, recovery, notify, maintenance, depends_on and enabled; a different one means a new revision. */
  readonly fingerprint: string
  /** Covers check.type and check.config only. */
  readonly checkFingerprint: string
  readonly removedAt: Instant | null
  /**
   * The last revision that controls gave to an earlier or removed incarnation; absent if there was none. The
   * next incarnation continues above it.
   */
  readonly controlsBefore?: number
}

/** Columns for consecutive numeric ids: counters and the like, written as one blob. */
export interface StoredBlock {
  readonly block: number
  readonly bytes: Uint8Array
}

export interface StoredState {
  readonly numericId: number
  /** Null if the monitor no longer needs a stored state. */
  readonly health: Health | null
}

/** Its members are the record types; record-types.ts says how each is collected, merged and counted. */
export interface CommitBatch {
  readonly identities: readonly StoredIdentity[]
  /** A monitor's identity is committed with or before its first event. */
  readonly events: readonly StoredEvent[]
  readonly actions: readonly Action[]
  readonly states: readonly StoredState[]
  /** Jobs that report by themselves. */
  readonly pushes: readonly StoredPush[]
  /** Pages, their members and what is told after quiet hours, by key; null to remove one. */
  readonly escalations: readonly EscalationRecord[]
  /** One with the same kind, id and end replaces another. */
  readonly revisions: readonly StoredRevision[]
  readonly blocks: readonly StoredBlock[]
  readonly slo: SloSnapshot | null
  /** All destinations that are not healthy; null if unchanged. */
  readonly destinations: readonly DestinationRecord[] | null
  /** In change order, after all committed changes. */
  readonly resources: readonly ResourceWrite[]
  /** Replaces a known operation with the same id. */
  readonly operations: readonly StoredOperation[]
  /** Bulk operations with their progress. */
  readonly bulk: readonly BulkWrite[]
  /** Jobs of external workers, each in its last state. */
  readonly executions: readonly StoredExecution[]
  /** Statements of workers about jobs, each once. */
  readonly statements: readonly WorkerStatement[]
  /** Trend blocks, in the order in which they were written. */
  readonly trends: readonly TrendWrite[]
}

/** Whether a batch is kept and retried while writing fails, or rejected to its caller. */
export type BatchKind = 'kept' | 'withdrawable'

export interface Committed {
  /** The position of the last event in the log after this batch; it only grows. */
  readonly position: number
  readonly latencyMs: number
}

/** A commit of the store itself. */
export interface CommittedBatch extends Committed {
  /** The number of the batch within its run, from 1. */
  readonly batch: number
}

/** Everything that the next process continues with. */
export interface Recovered {
  readonly position: number
  /** The highest number ever assigned, also to removed monitors; -1 for none. */
  readonly highestNumericId: number
  /**
   * In order of their numbers. There may be a million: in chunks, so that neither side holds them all as objects at once.
   */
  readonly identities: AsyncIterable<readonly StoredIdentity[]>
  readonly blocks: readonly StoredBlock[]
  readonly states: readonly { readonly numericId: number; readonly health: Health }[]
  readonly pushes: readonly { readonly numericId: number; readonly push: PushRecord }[]
  readonly escalations: readonly EscalationRecord[]
  /** Those in force, by kind and id. */
  readonly revisions: readonly KeptRevision[]
  /**
   * Queued, started and unknown actions; those of untold incidents and owed greens; and those changed in the
   * last `recentMs`, from which cooldowns are computed.
   */
  readonly actions: readonly Action[]
  readonly slo: SloSnapshot | null
  readonly destinations: readonly DestinationRecord[]
  /** The retention state that the previous process left. */
  readonly retention: RetentionClock
  /**
   * Set if the store was restored and no process has committed to it since: its queued actions were queued at
   * the time of the backup, and may have been carried out since.
   */
  readonly restoredFrom: { readonly backupAt: Instant } | null
  /** A new one after every restore. A version is the epoch and a change. */
  readonly epoch: number
  /** Oldest first. */
  readonly restores: readonly StoreRestore[]
  /** The number of the last change of a resource; 0 before the first. */
  readonly lastChange: number
  /** The number of the last operation; 0 before the first. */
  readonly lastOperation: number
  /** Jobs that were granted to workers and have not ended, by id. */
  readonly executions: readonly StoredExecution[]
  /** Trend blocks that the previous process was filling. */
  readonly trends: readonly OpenTrendBlock[]
  /** All resources except monitors, by kind and id. */
  readonly resources: readonly StoredResource[]
  /** Managed monitors in id order. There may be a million: in chunks, like the identities. */
  readonly monitors: AsyncIterable<readonly StoredResource[]>
  /**
   * All changes to monitors after this change, or `forgotten` if the store no longer has them all and
   * `monitors` must be read instead.
   */
  changedMonitors(sinceChange: number): Promise<AsyncIterable<MonitorChanges> | 'forgotten'>
}

export interface EventQuery {
  readonly monitorId: string | null
  readonly order: 'asc' | 'desc'
  /** Events beyond this position are not shown. */
  readonly upTo: number
  /** Exclusive: where the previous page ended; null for the first page. */
  readonly after: number | null
  readonly limit: number
  /** Leaves out events about writes to resources; skipping them costs the reader nothing, however many there are. */
  readonly withoutResources?: boolean
}

export interface EventPage {
  readonly events: readonly (StoredEvent & { readonly position: number })[]
  readonly more: boolean
  /** The oldest position that is still kept. */
  readonly oldest: number
}

export interface ActionQuery {
  /** Null for all actions, with or without a monitor. */
  readonly monitorId: string | null
  /** Exclusive: the number of the last action on the previous page; null for the first page. */
  readonly after: number | null
  readonly limit: number
}

export interface ActionPage {
  /** Newest first, each in its last state, under a number that it keeps. */
  readonly actions: readonly { readonly number: number; readonly action: Action }[]
  readonly more: boolean
}

/** Identifies the store across restarts, backups and restores; no other store has the same identity. */
export interface StoreIdentity {
  readonly id: string
  /** Signs texts that the service issues and must recognize later. Never leaves the service. */
  readonly key: Uint8Array
}

export interface StoreUsage {
  readonly bytes: number
  readonly historyBytes: number
  readonly availableBytes: number | null
  readonly lastBackup: LastBackup | null
  /** Managed resources of all kinds. */
  readonly resources: number
  /** Replaced or deleted versions of them that can still be listed. */
  readonly pastResources: number
  /** What things were before they changed, and what some are now (revision.ts). */
  readonly revisions: number
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
  | 'moved'
  | 'closed'

/** Why the store cannot do something; `recovers` if a later retry may succeed without intervention. */
export class StoreError extends Error {
  readonly problem: StoreProblem
  readonly recovers: boolean
  /** A commit may have been written. Only the same batch may be given next; it is written once. */
  readonly inDoubt: boolean
  /** What is wrong, for whoever reads the API: without paths, addresses and secrets. If null, `problem` says enough. */
  readonly told: string | null
  /** Nothing is set up wrongly: the server of the store, or the way to it, is not there at the moment. */
  readonly isAway: boolean
  constructor(
    problem: StoreProblem,
    message: string,
    {
      inDoubt = false,
      told = null,
      isAway = false,
      ...options
    }: { cause?: unknown; inDoubt?: boolean; told?: string | null; isAway?: boolean } = {},
  ) {
    super(message, options)
    this.name = 'StoreError'
    this.problem = problem
    this.recovers = problem === 'full' || problem === 'io'
    this.inDoubt = inDoubt
    this.told = told
    this.isAway = isAway
  }
}

export interface Liveness {
  readonly commitEveryMs: number
  readonly slowAfterMs: number
  /** Whether no other process can have taken the store over by now. To be asked right before anything is started. */
  holds(): boolean
}

export interface Store {
  /** The kind of store, as shown to people. */
  readonly mode: 'sqlite' | 'memory' | 'postgres'
  /** Whether committed data survives the process. */
  readonly isDurable: boolean
  readonly identity: StoreIdentity
  /**
   * Names this opening of the store; no other has the same name. When another run takes over the store, this
   * one is fenced: it rejects everything with `fenced`, and its process must exit.
   */
  readonly run: string
  /**
   * Absent if no other machine can take the store over. Otherwise something is committed at least this often, and a
   * commit that takes longer than `slowAfterMs` counts as failing until it is answered: nothing is started meanwhile.
   */
  readonly liveness?: Liveness
  /** Absent if no other process can stand by for the store. */
  readonly sharing?: Sharing
  /** Absent if no other machine can take the store over. */
  readonly access?: SharedAccess
  recover(recentMs: number): Promise<Recovered>
  /**
   * Rejects with a StoreError; then nothing of the batch was written, and the same batch may be given again. If the
   * error is `inDoubt`, the same batch must be given again: it may have been written.
   */
  commit(batch: CommitBatch): Promise<CommittedBatch>
  readEvents(query: EventQuery): Promise<EventPage>
  /** Actions of one monitor, newest first. */
  readActions(monitorId: string, limit: number): Promise<readonly Action[]>
  /** Actions queued while a list is being paged are newer than its first page, so the list does not contain them. */
  listActions(query: ActionQuery): Promise<ActionPage>
  /** Null if it never existed or is no longer kept. */
  readAction(id: string): Promise<Action | null>
  /**
   * The uids of the monitors that actions were made for, by action. Empty if no managed monitor had the id
   * then; missing for actions without a monitor and for those of earlier versions.
   */
  readIncarnations(actionIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  listIncidents(query: IncidentQuery): Promise<IncidentPage>
  /** Null if it never existed or is no longer kept. */
  readIncident(id: string): Promise<StoredIncident | null>
  /** Of the monitor, and of each thing that is not a monitor, the first revision that ended after the instant. */
  readRevisions(query: RevisionQuery): Promise<readonly KeptRevision[]>
  /** The number of a monitor that is known or has retained events; null for any other. */
  findMonitor(monitorId: string): Promise<number | null>
  /** As last committed; null if there is none. */
  readResource(kind: ResourceKind, id: string): Promise<StoredResource | null>
  /**
   * Replaces the envelopes of credential values, all of them or none: without a change, an event or a new
   * version. Returns the changes of the resealed values; a version that was replaced since, or is not
   * committed yet, is left alone. Past versions are not touched: their values are never opened again.
   */
  reseal(values: readonly ResealedValue[]): Promise<readonly number[]>
  /** `expired` if versions that the list needs are no longer kept. */
  listResources(query: ResourceQuery): Promise<ResourcePage | 'expired'>
  /** Null if it never existed or is no longer kept. */
  readOperation(id: number): Promise<StoredOperation | null>
  /** Null if it never existed or is no longer kept. */
  readBulk(id: number): Promise<StoredBulk | null>
  /** Bulk operations that have not ended, oldest first. */
  openBulk(): Promise<readonly StoredBulk[]>
  listBulk(query: BulkQuery): Promise<BulkPage>
  /** Outcomes from this position on, in item order. */
  readOutcomes(id: number, from: number, limit: number): Promise<OutcomePage>
  /** Null if it was never granted or is no longer kept. */
  readExecution(id: string): Promise<StoredExecution | null>
  /** Those that are kept. */
  readExecutions(ids: readonly string[]): Promise<readonly StoredExecution[]>
  /** All statements of its worker, ordered by id. */
  readStatements(executionId: string): Promise<readonly WorkerStatement[]>
  /**
   * The cells of one monitor, or of the fleet, in which something was counted, in order. Days that are not
   * over have none yet.
   */
  readTrend(query: TrendQuery): Promise<readonly NumberedCell[]>
  /** Of each monitor in the order of the query. Reads each block once, however many of its monitors are asked for. */
  readTrends(query: TrendsQuery): Promise<readonly (readonly NumberedCell[])[]>
  /** The address by which other threads open it; null if only this thread can. */
  readonly besideAddress: BesideAddress | null
  /** For work in this thread that runs concurrently with commits. */
  openBeside(): StoreBeside
  usage(): Promise<StoreUsage>
  /**
   * Removes what has expired, and sums up completed days of trends, at most this many rows. Returns how many;
   * 0 if nothing is left to do.
   */
  retain(now: Instant, rows: number): Promise<number>
  [Symbol.asyncDispose](): Promise<void>
}
