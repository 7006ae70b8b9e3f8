// persistence/journal.ts: collects everything that one turn of the engine decides and commits it as one batch, so that
// a decision and all that follows from it are on disk together or not at all. Effects outside the process wait here for
// the commit; if it fails, they never happen.
import type { Action } from '../deciding/actions/action.ts'
import type { DestinationRecord } from '../deciding/actions/destination.ts'
import type { Decision } from '../deciding/decision.ts'
import type { Health } from '../deciding/health/health.ts'
import type { Clock } from '../platform/clock.ts'
import type { SloSnapshot } from '../slo/slo-snapshot.ts'
import type { BulkWrite } from '../store/bulk.ts'
import type { StoredExecution, WorkerStatement } from '../store/execution.ts'
import type { ResourceWrite, StoredOperation } from '../store/resource.ts'
import type {
  BatchKind,
  CommitBatch,
  Committed,
  Recovered,
  StoredBlock,
  StoredEvent,
  StoredIdentity,
} from '../store/store.ts'
import type { TrendWrite } from '../store/trend.ts'
import { LatencyMeter } from '../telemetry/latency-meter.ts'
import type { SystemMeter } from '../telemetry/system-meter.ts'
import type { Identities } from './identities.ts'

/** Where batches go. Resolves when a batch is on disk; batches are committed in the order in which they were given. */
export interface Committer {
  commit(batch: CommitBatch, kind?: BatchKind): Promise<Committed>
}

/**
 * What became of a turn. `refused`: nothing of it is stored, and nothing was done. `uncertain`: writing failed when it had
 * been decided; it is stored when writing works again, unless the process ends before that.
 */
export type TurnEnd = 'stored' | 'refused' | 'uncertain'

export class Journal {
  readonly latency = new LatencyMeter()
  readonly #committer: Committer
  readonly #clock: Clock
  readonly #meter: SystemMeter
  #events: StoredEvent[] = []
  #states = new Map<number, Health | null>()
  #actions = new Map<string, Action>()
  #identities: StoredIdentity[] = []
  #blocks: StoredBlock[] = []
  #slo: SloSnapshot | null = null
  #destinations: readonly DestinationRecord[] | null = null
  #resources: ResourceWrite[] = []
  #operations: StoredOperation[] = []
  #bulk: BulkWrite[] = []
  #executions: StoredExecution[] = []
  #statements: WorkerStatement[] = []
  #trends: TrendWrite[] = []
  #effects: (() => void)[] = []
  #position = 0
  #change = 0
  #uncommitted = 0

  constructor(committer: Committer, clock: Clock, meter: SystemMeter) {
    this.#committer = committer
    this.#clock = clock
    this.#meter = meter
  }

  /** The position of the last event that is on disk. */
  get position(): number {
    return this.#position
  }

  /** The last change of a resource that is on disk. */
  get change(): number {
    return this.#change
  }

  /** Entries that were given to the store and are not on disk yet. */
  get uncommitted(): number {
    return this.#uncommitted
  }

  /** Where the previous process left the log. */
  continueFrom({ position, lastChange }: Pick<Recovered, 'position' | 'lastChange'>): void {
    this.#position = position
    this.#change = lastChange
  }

  addEvent(event: StoredEvent): void {
    this.#events.push(event)
  }

  /** Records a decision, with the number and the revision that each monitor has in the log. */
  record({ steps, events, actions, destinations }: Decision, identities: Identities): void {
    for (const { row, stored } of steps) {
      const identity = identities.claim(row)
      if (identity !== null) this.keepIdentity(identity)
      this.keepState(identities.numberOf(row), stored)
    }
    for (const { row, event } of events)
      this.addEvent({ ...event, ...identities.inLog(row, event.monitorId) })
    for (const action of actions) this.keepAction(action)
    if (destinations !== null) this.keepDestinations(destinations)
  }

  /** Only the last state of a monitor in a turn is stored; null when it needs no stored state any more. */
  keepState(numericId: number, health: Health | null): void {
    this.#states.set(numericId, health)
  }

  keepAction(action: Action): void {
    this.#actions.set(action.id, action)
  }

  keepIdentity(identity: StoredIdentity): void {
    this.#identities.push(identity)
  }

  keepBlock(block: StoredBlock): void {
    this.#blocks.push(block)
  }

  keepSlo(slo: SloSnapshot): void {
    this.#slo = slo
  }

  keepDestinations(records: readonly DestinationRecord[]): void {
    this.#destinations = records
  }

  /** Every write of a turn is stored, in the order of their changes. */
  keepResource(write: ResourceWrite): void {
    this.#resources.push(write)
  }

  keepOperation(operation: StoredOperation): void {
    this.#operations.push(operation)
  }

  /** An operation of many items, as this turn leaves it. */
  keepBulk(write: BulkWrite): void {
    this.#bulk.push(write)
  }

  keepExecution(execution: StoredExecution): void {
    this.#executions.push(execution)
  }

  /** Beside the execution that it is about, with the same turn. */
  keepStatement(statement: WorkerStatement): void {
    this.#statements.push(statement)
  }

  /** Every write of a turn is stored, in this order. */
  keepTrend(write: TrendWrite): void {
    this.#trends.push(write)
  }

  /** Runs when everything of this turn is on disk. */
  afterCommit(effect: () => void): void {
    this.#effects.push(effect)
  }

  /** Nothing of this turn is stored. */
  discard(): void {
    this.#takeBatch()
    this.#effects = []
  }

  /** Ends the turn. Resolves when its batch is on disk, or cannot be. */
  async flush(kind: BatchKind = 'kept'): Promise<TurnEnd> {
    const batch = this.#takeBatch()
    if (batch === null) return 'stored'
    const effects = this.#effects
    this.#effects = []
    const { events, states, actions, identities, resources, operations } = batch
    const entries =
      events.length +
      states.length +
      actions.length +
      identities.length +
      resources.length +
      operations.length
    this.#uncommitted += entries
    const began = this.#clock.monotonicMs()
    try {
      const { position, latencyMs } = await this.#committer.commit(batch, kind)
      this.#position = Math.max(this.#position, position)
      this.#change = Math.max(this.#change, resources.at(-1)?.change ?? 0)
      this.latency.note(latencyMs)
    } catch {
      // The storage guard pauses the engine; what is not on disk has no effect.
      return kind === 'withdrawable' ? 'refused' : 'uncertain'
    } finally {
      this.#uncommitted -= entries
      this.#meter.begin(began)
      this.#meter.end(this.#clock.monotonicMs(), entries)
    }
    for (const effect of effects) effect()
    return 'stored'
  }

  #takeBatch(): CommitBatch | null {
    const isEmpty =
      this.#events.length + this.#states.size + this.#actions.size + this.#identities.length === 0 &&
      this.#blocks.length + this.#trends.length === 0 &&
      this.#slo === null &&
      this.#destinations === null &&
      this.#resources.length + this.#operations.length + this.#bulk.length + this.#executions.length === 0 &&
      this.#effects.length === 0
    if (isEmpty) return null
    const batch: CommitBatch = {
      events: this.#events,
      states: Array.from(this.#states, ([numericId, health]) => ({ numericId, health })),
      actions: [...this.#actions.values()],
      identities: this.#identities,
      blocks: this.#blocks,
      slo: this.#slo,
      destinations: this.#destinations,
      resources: this.#resources,
      operations: this.#operations,
      ...(this.#bulk.length === 0 ? {} : { bulk: this.#bulk }),
      ...(this.#executions.length === 0 ? {} : { executions: this.#executions }),
      ...(this.#statements.length === 0 ? {} : { statements: this.#statements }),
      ...(this.#trends.length === 0 ? {} : { trends: this.#trends }),
    }
    this.#events = []
    this.#states = new Map()
    this.#actions = new Map()
    this.#identities = []
    this.#blocks = []
    this.#slo = null
    this.#destinations = null
    this.#resources = []
    this.#operations = []
    this.#bulk = []
    this.#executions = []
    this.#statements = []
    this.#trends = []
    return batch
  }
}
