// engine/engine-turn.ts: what may be done within a turn of the engine: deciding, writing, controlling, and
// reporting by sources. Everything kept here goes to the store with the turn.
import type { CheckSource } from '../checking/check-source.ts'
import type { ResultBatch } from '../checking/probe/probe-protocol.ts'
import type { Input } from '../deciding/decide.ts'
import { type Decision, nothingDecided } from '../deciding/decision.ts'
import type { Instant } from '../deciding/health/health.ts'
import type { Turn } from '../deciding/turn.ts'
import type { Fingerprint } from '../fleet/fingerprints.ts'
import type { ActionOutcome } from '../platform/action-outcome.ts'
import type { BulkWrite } from '../store/bulk.ts'
import type { StoredExecution, WorkerStatement } from '../store/execution.ts'
import type { PushRecord } from '../store/push.ts'
import type { ResourceWrite, StoredOperation } from '../store/resource.ts'
import { emptyEvent, type StoredEvent } from '../store/store.ts'
import type { EngineParts } from './engine-parts.ts'
import type { SourceTurn } from './source.ts'

/** Resources that a turn writes, and the events about them. */
export interface ResourceWrites {
  readonly resources: readonly ResourceWrite[]
  /** One per resource. The turn fills in the numbers that monitors have in the log. */
  readonly events: readonly NumberedEvent[]
  /** Fingerprints of the configurations of new monitors that are already packed. */
  readonly fingerprints: ReadonlyMap<string, Fingerprint>
}

/** What a principal requested: a single write or control, or a bulk operation and its progress. */
export type WriteRecord = StoredOperation | BulkWrite

export interface NumberedEvent extends StoredEvent {
  numericId: number | null
  revision: number | null
}

/** A turn that writes resources. */
export interface WriteTurn extends Turn {
  keep(record: WriteRecord, writes?: ResourceWrites): void
}

/** A turn that applies controls to monitors, incidents and actions. */
export interface ControlTurn extends Turn {
  keep(record: WriteRecord): void
}

/** A turn for a request by people, other programs or workers. */
export type RequestTurn = WriteTurn & SourceTurn

/** One object for all turns: a turn that decides nothing allocates nothing. */
export class EngineTurn implements WriteTurn, ControlTurn, SourceTurn {
  now: Instant = 0
  readonly #parts: EngineParts

  constructor(parts: EngineParts) {
    this.#parts = parts
  }

  decide(input: Input): Decision {
    const { clock, decider, identities, journal, transitions } = this.#parts
    transitions.begin(clock.monotonicMs())
    const decision = decider.decide(input, this.now)
    if (decision !== nothingDecided) {
      journal.record(decision, identities)
      for (const follower of this.#parts.followers) follower.follow(decision)
    }
    transitions.end(clock.monotonicMs(), decision.steps.length)
    return decision
  }

  keep(record: WriteRecord, writes?: ResourceWrites): void {
    const { journal } = this.#parts
    if ('operation' in record) journal.keep('bulk', record)
    else journal.keep('operations', record)
    if (writes !== undefined) this.#keepWrites(writes)
  }

  #keepWrites({ resources, events, fingerprints }: ResourceWrites): void {
    const { journal, identities, fleet } = this.#parts
    for (const resource of resources) journal.keep('resources', resource)
    for (const event of events) {
      const { monitorId } = event
      if (monitorId !== null) {
        const row = fleet.rowOf(monitorId)
        // The event of a new monitor needs its number, but the monitor joins the fleet only once this is
        // stored. A monitor in the fleet already has a stored number, and its other pending records must not
        // be withdrawn with this turn.
        const fingerprint = fingerprints.get(monitorId) ?? null
        const reserved = row === -1 ? identities.reserve(monitorId, fingerprint) : null
        if (reserved !== null) journal.keep('identities', reserved)
        const { numericId, revision } = identities.inLog(row, monitorId)
        event.numericId = numericId
        event.revision = revision
      }
      journal.addEvent(event)
    }
    if (fingerprints.size > 0) journal.afterCommit(() => identities.reservedStored(fingerprints.keys()))
  }

  keepExecution(execution: StoredExecution): void {
    this.#parts.journal.keep('executions', execution)
  }

  keepStatement(statement: WorkerStatement): void {
    this.#parts.journal.keep('statements', statement)
  }

  checkStarted(row: number): void {
    this.afterCommit(() => this.#parts.checks.started(row))
  }

  checkResumed(row: number): number | null {
    return this.#parts.checks.resumed(row)
  }

  checkNotTaken(row: number): void {
    this.#parts.checks.notTaken(row)
  }

  checkReported(row: number): number | null {
    return this.#parts.checks.reported(row)
  }

  keepPush(row: number, push: PushRecord): void {
    const { identities, journal } = this.#parts
    const identity = identities.claim(row)
    if (identity !== null) journal.keep('identities', identity)
    journal.keep('pushes', { numericId: identities.numberOf(row), push })
  }

  tell(row: number, event: Pick<StoredEvent, 'type' | 'detail' | 'because'>): void {
    const { fleet, identities, journal } = this.#parts
    const identity = identities.claim(row)
    if (identity !== null) journal.keep('identities', identity)
    const monitorId = fleet.idOf(row)
    journal.addEvent({
      ...emptyEvent,
      ...event,
      at: this.now,
      monitorId,
      ...identities.inLog(row, monitorId),
    })
  }

  takeResults(source: CheckSource, batch: ResultBatch): void {
    const { checks, reminders } = this.#parts
    checks.takeResults(this, source, batch)
    reminders.parentsChecked(this, batch.rows)
  }

  startActions(): void {
    this.#parts.actions.startDue(this)
  }

  endAction(actionId: string, outcome: ActionOutcome): void {
    this.#parts.actions.ended(this, actionId, outcome)
  }

  afterCommit(effect: () => void): void {
    this.#parts.journal.afterCommit(effect)
  }
}
