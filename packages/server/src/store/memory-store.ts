// store/memory-store.ts: the store in memory, which a restart empties: for the edition and the setting that
// keep nothing on disk, and for tests. The same contract suite tests it and the embedded store.
import { randomUUID } from 'node:crypto'
import { type ResourceKind, resourceKinds } from '@pulseward/contract/v2/kinds'
import { type Action, isOpen, isUnsettled } from '../deciding/actions/action.ts'
import type { DestinationRecord } from '../deciding/actions/destination.ts'
import type { Health, Instant } from '../deciding/health/health.ts'
import type { EscalationRecord } from '../deciding/on-call/page.ts'
import type { SloSnapshot } from '../slo/slo-snapshot.ts'
import type { StoreBeside } from './beside.ts'
import type { BulkPage, BulkQuery, OutcomePage, StoredBulk } from './bulk.ts'
import type { StoredExecution, WorkerStatement } from './execution.ts'
import type { IncidentPage, IncidentQuery, StoredIncident } from './incident.ts'
import { besideMemory } from './memory-beside.ts'
import { MemoryBulk } from './memory-bulk.ts'
import { MemoryExecutions } from './memory-executions.ts'
import { MemoryIncidents } from './memory-incidents.ts'
import { MemoryResources } from './memory-resources.ts'
import { MemoryRevisions } from './memory-revisions.ts'
import { MemoryTrends } from './memory-trends.ts'
import type { PushRecord } from './push.ts'
import { type RecordType, visitRecords } from './record-types.ts'
import type {
  ResealedValue,
  ResourcePage,
  ResourceQuery,
  StoredOperation,
  StoredResource,
} from './resource.ts'
import { storeBounds } from './retention.ts'
import { forgetBefore, lookAtClock, newRetentionClock } from './retention-clock.ts'
import type { KeptRevision, RevisionQuery } from './revision.ts'
import {
  type ActionPage,
  type ActionQuery,
  type CommitBatch,
  type CommittedBatch,
  type EventPage,
  type EventQuery,
  isResourceEvent,
  type Recovered,
  type Store,
  type StoredEvent,
  type StoredIdentity,
  type StoreError,
  type StoreUsage,
} from './store.ts'
import { storeError } from './store-errors.ts'
import { newStoreIdentity } from './store-identity.ts'
import type { NumberedCell, TrendQuery, TrendsQuery } from './trend.ts'
import { TrendKeeping } from './trend-keeping.ts'
import { compareUtf8 } from './utf8-order.ts'

export class MemoryStore implements Store {
  readonly mode = 'memory'
  readonly isDurable = false
  readonly besideAddress = null
  readonly identity = newStoreIdentity()
  readonly run = randomUUID()
  readonly #now: () => Instant
  /** The event at index 0 has the position #oldest. */
  #events: StoredEvent[] = []
  #oldest = 1
  readonly #states = new Map<number, Health>()
  readonly #pushes = new Map<number, PushRecord>()
  readonly #escalations = new Map<string, EscalationRecord>()
  readonly #revisions = new MemoryRevisions()
  /** In the order in which they were queued, which also numbers them. */
  readonly #actions = new Map<string, ActionPage['actions'][number]>()
  #lastActionNumber = 0
  /** By action id. */
  readonly #incarnations = new Map<string, string>()
  readonly #incidents = new MemoryIncidents()
  readonly #bulk = new MemoryBulk()
  readonly #executions = new MemoryExecutions()
  readonly #trendRows = new MemoryTrends()
  readonly #trends = new TrendKeeping(this.#trendRows)
  readonly #identities = new Map<number, StoredIdentity>()
  readonly #numericIds = new Map<string, number>()
  readonly #blocks = new Map<number, Uint8Array>()
  #slo: SloSnapshot | null = null
  #destinations: readonly DestinationRecord[] = []
  readonly #resources: MemoryResources
  #highestNumericId = -1
  #retention = newRetentionClock
  #batch = 0
  #over: StoreError | null = null

  /** How each type of record is kept. */
  readonly #keep: { readonly [Type in RecordType]: (kept: CommitBatch[Type]) => void } = {
    identities: (identities) => {
      for (const identity of identities) this.#keepIdentity(identity)
    },
    events: (events) => {
      for (const event of events) {
        this.#events.push(event)
        this.#incidents.note(event, this.#position)
      }
    },
    actions: (actions) => {
      for (const action of actions) this.#keepAction(action)
    },
    states: (states) => {
      for (const { numericId, health } of states)
        if (health === null) this.#states.delete(numericId)
        else this.#states.set(numericId, health)
    },
    pushes: (pushes) => {
      for (const { numericId, push } of pushes)
        if (push === null) this.#pushes.delete(numericId)
        else this.#pushes.set(numericId, push)
    },
    escalations: (records) => {
      for (const record of records)
        if (record.value === null) this.#escalations.delete(record.key)
        else this.#escalations.set(record.key, record)
    },
    revisions: (revisions) => this.#revisions.write(revisions),
    // The caller may overwrite the bytes as soon as they are committed.
    blocks: (blocks) => {
      for (const { block, bytes } of blocks) this.#blocks.set(block, bytes.slice())
    },
    slo: (slo) => {
      this.#slo = slo
    },
    destinations: (destinations) => {
      this.#destinations = destinations ?? []
    },
    resources: (writes) => this.#resources.write(writes, this.#now()),
    operations: (operations) => this.#resources.writeOperations(operations),
    bulk: (writes) => this.#bulk.commit(writes),
    executions: (executions) => this.#executions.write(executions),
    statements: (statements) => this.#executions.writeStatements(statements),
    trends: (writes) => this.#trends.commit(writes),
  }

  constructor(now: () => Instant, bounds = storeBounds) {
    this.#now = now
    this.#resources = new MemoryResources(bounds)
  }

  async commit(batch: CommitBatch): Promise<CommittedBatch> {
    this.#requireOpen()
    this.#resources.requireInOrder(batch.resources)
    visitRecords(batch, (type, kept) => this.#keep[type](kept))
    this.#resources.lookAtClock(this.#now())
    this.#retention = lookAtClock(this.#retention, this.#now())
    return { position: this.#position, latencyMs: 0, batch: ++this.#batch }
  }

  async recover(recentMs: number): Promise<Recovered> {
    this.#requireOpen()
    const since = this.#now() - recentMs
    const byNumber = [...this.#identities.values()].sort((one, other) => one.numericId - other.numericId)
    return {
      position: this.#position,
      highestNumericId: this.#highestNumericId,
      identities: inOneChunk(byNumber),
      blocks: [...this.#blocks].map(([block, bytes]) => ({ block, bytes })).sort((a, b) => a.block - b.block),
      states: [...this.#states]
        .map(([numericId, health]) => ({ numericId, health }))
        .sort((one, other) => one.numericId - other.numericId),
      pushes: [...this.#pushes]
        .map(([numericId, push]) => ({ numericId, push }))
        .sort((one, other) => one.numericId - other.numericId),
      escalations: [...this.#escalations.values()].sort((one, other) => compareUtf8(one.key, other.key)),
      revisions: this.#revisions.inForce(),
      actions: this.#allActions().filter((action) => isUnsettled(action) || changedAt(action) >= since),
      slo: this.#slo,
      destinations: this.#destinations,
      retention: this.#retention,
      restoredFrom: null,
      epoch: this.#resources.epoch,
      restores: [],
      lastChange: this.#resources.lastChange,
      lastOperation: Math.max(this.#resources.lastOperation, this.#bulk.last),
      executions: this.#executions.open(),
      trends: this.#trendRows.allOpen(),
      resources: this.#resources.others(),
      monitors: this.#resources.monitors(),
      changedMonitors: async (sinceChange) => this.#resources.changedMonitors(sinceChange),
    }
  }

  async readEvents(query: EventQuery): Promise<EventPage> {
    this.#requireOpen()
    const { monitorId, order, upTo, after, limit, withoutResources = false } = query
    const numericId = monitorId === null ? null : this.#numericIds.get(monitorId)
    const found: EventPage['events'][number][] = []
    const step = order === 'asc' ? 1 : -1
    let position =
      order === 'asc'
        ? Math.max(this.#oldest, (after ?? 0) + 1)
        : Math.min(this.#position, upTo, (after ?? Number.POSITIVE_INFINITY) - 1)
    for (; found.length <= limit; position += step) {
      const event = position <= upTo ? this.#events[position - this.#oldest] : undefined
      if (event === undefined) break
      if (withoutResources && isResourceEvent(event)) continue
      if (monitorId === null || event.numericId === numericId) found.push({ ...event, position })
    }
    return { events: found.slice(0, limit), more: found.length > limit, oldest: this.#oldest }
  }

  async readActions(monitorId: string, limit: number): Promise<readonly Action[]> {
    this.#requireOpen()
    const all = this.#allActions().filter((action) => action.monitorId === monitorId)
    return all.reverse().slice(0, limit)
  }

  async listActions({ monitorId, after, limit }: ActionQuery): Promise<ActionPage> {
    this.#requireOpen()
    const following = [...this.#actions.values()].filter(
      ({ number, action }) =>
        number < (after ?? Number.POSITIVE_INFINITY) &&
        (monitorId === null || action.monitorId === monitorId),
    )
    return { actions: following.reverse().slice(0, limit), more: following.length > limit }
  }

  async readAction(id: string): Promise<Action | null> {
    this.#requireOpen()
    return this.#actions.get(id)?.action ?? null
  }

  async readIncarnations(actionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    this.#requireOpen()
    const known = actionIds.map((id) => [id, this.#incarnations.get(id)] as const)
    return new Map(known.filter((entry): entry is [string, string] => entry[1] !== undefined))
  }

  async listIncidents(query: IncidentQuery): Promise<IncidentPage> {
    this.#requireOpen()
    return this.#incidents.list(query)
  }

  async readIncident(id: string): Promise<StoredIncident | null> {
    this.#requireOpen()
    return this.#incidents.read(id)
  }

  async readRevisions(query: RevisionQuery): Promise<readonly KeptRevision[]> {
    this.#requireOpen()
    return this.#revisions.read(query)
  }

  async findMonitor(monitorId: string): Promise<number | null> {
    this.#requireOpen()
    return this.#numericIds.get(monitorId) ?? null
  }

  async readResource(kind: ResourceKind, id: string): Promise<StoredResource | null> {
    this.#requireOpen()
    return this.#resources.read(kind, id)
  }

  async reseal(values: readonly ResealedValue[]): Promise<readonly number[]> {
    this.#requireOpen()
    return this.#resources.reseal(values)
  }

  async listResources(query: ResourceQuery): Promise<ResourcePage | 'expired'> {
    this.#requireOpen()
    return this.#resources.list(query)
  }

  async readOperation(id: number): Promise<StoredOperation | null> {
    this.#requireOpen()
    return this.#resources.readOperation(id)
  }

  async readBulk(id: number): Promise<StoredBulk | null> {
    this.#requireOpen()
    return this.#bulk.read(id)
  }

  async openBulk(): Promise<readonly StoredBulk[]> {
    this.#requireOpen()
    return this.#bulk.open()
  }

  async listBulk(query: BulkQuery): Promise<BulkPage> {
    this.#requireOpen()
    return this.#bulk.list(query)
  }

  async readOutcomes(id: number, from: number, limit: number): Promise<OutcomePage> {
    this.#requireOpen()
    return this.#bulk.outcomes(id, from, limit)
  }

  async readExecution(id: string): Promise<StoredExecution | null> {
    this.#requireOpen()
    return this.#executions.read(id)
  }

  async readExecutions(ids: readonly string[]): Promise<readonly StoredExecution[]> {
    this.#requireOpen()
    return this.#executions.readAll(ids)
  }

  async readStatements(executionId: string): Promise<readonly WorkerStatement[]> {
    this.#requireOpen()
    return this.#executions.statements(executionId)
  }

  async readTrend(query: TrendQuery): Promise<readonly NumberedCell[]> {
    this.#requireOpen()
    return this.#trends.read(query)
  }

  async readTrends(query: TrendsQuery): Promise<readonly (readonly NumberedCell[])[]> {
    this.#requireOpen()
    return this.#trends.readMany(query)
  }

  openBeside(): StoreBeside {
    return besideMemory((kind, id) => this.#resources.read(resourceKinds[kind]!, id))
  }

  async usage(): Promise<StoreUsage> {
    this.#requireOpen()
    const { resources, past } = this.#resources.total
    return {
      bytes: 0,
      historyBytes: 0,
      availableBytes: null,
      lastBackup: null,
      resources,
      pastResources: past,
      revisions: this.#revisions.count,
    }
  }

  async retain(now: Instant, rows: number): Promise<number> {
    this.#requireOpen()
    let left = rows - this.#resources.retain(now, rows)
    left -= this.#executions.retain(now, left)
    if (left > 0) left -= this.#trends.addUpDays(now, this.#highestNumericId)
    left -= this.#retainHistory(now, left)
    return rows - left
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over ??= storeError('closed')
  }

  /** Simulates another process taking over the store. */
  fence(): void {
    this.#over ??= storeError('fenced')
  }

  #retainHistory(now: Instant, rows: number): number {
    const olderThan = forgetBefore(this.#retention, now)
    if (olderThan === null) return 0
    let removed = this.#trends.forget(now, rows)
    removed += this.#forgetEvents(olderThan, now, rows - removed)
    for (const { action } of this.#actions.values()) {
      if (removed >= rows) break
      if (isOpen(action) || changedAt(action) >= olderThan) continue
      this.#forgetAction(action)
      removed++
    }
    removed += this.#incidents.retain(this.#oldest, rows - removed)
    removed += this.#bulk.retain(olderThan, rows - removed)
    removed += this.#revisions.retain(olderThan, rows - removed)
    const needed = new Set(removed < rows ? this.#events.map(({ numericId }) => numericId) : [])
    for (const { numericId, monitorId, removedAt } of this.#identities.values()) {
      if (removed >= rows) break
      if (removedAt === null || removedAt >= olderThan || needed.has(numericId)) continue
      this.#identities.delete(numericId)
      this.#numericIds.delete(monitorId)
      removed++
    }
    return removed
  }

  /** An event with a time in the future counts as old as those after it, and so does its action. */
  #forgetEvents(olderThan: Instant, now: Instant, rows: number): number {
    const firstKept = this.#events.findIndex(({ at }) => at >= olderThan && at <= now)
    const old = firstKept === -1 ? this.#events : this.#events.slice(0, firstKept)
    const removed = Math.min(rows, old.findLastIndex(({ at }) => at < olderThan) + 1)
    for (const { at, actionId } of old.slice(0, removed)) {
      const action = at > now ? this.#actions.get(actionId ?? '')?.action : undefined
      if (action !== undefined && !isOpen(action) && changedAt(action) > now) this.#forgetAction(action)
    }
    this.#events = this.#events.slice(removed)
    this.#oldest += removed
    return removed
  }

  #allActions(): Action[] {
    return Array.from(this.#actions.values(), ({ action }) => action)
  }

  get #position(): number {
    return this.#oldest + this.#events.length - 1
  }

  #keepIdentity(identity: StoredIdentity): void {
    this.#identities.set(identity.numericId, identity)
    this.#numericIds.set(identity.monitorId, identity.numericId)
    this.#highestNumericId = Math.max(this.#highestNumericId, identity.numericId)
  }

  #keepAction(action: Action): void {
    const { id, monitorId } = action
    const known = this.#actions.get(id)
    if (known === undefined && monitorId !== null)
      this.#incarnations.set(id, this.#resources.read('Monitor', monitorId)?.uid ?? '')
    this.#actions.set(id, { number: known?.number ?? ++this.#lastActionNumber, action })
  }

  #forgetAction({ id }: Action): void {
    this.#actions.delete(id)
    this.#incarnations.delete(id)
  }

  #requireOpen(): void {
    if (this.#over !== null) throw this.#over
  }
}

function changedAt({ finishedAt, startedAt, queuedAt }: Action): Instant {
  return finishedAt ?? startedAt ?? queuedAt
}

async function* inOneChunk<Value>(values: readonly Value[]): AsyncIterable<readonly Value[]> {
  if (values.length > 0) yield values
}
