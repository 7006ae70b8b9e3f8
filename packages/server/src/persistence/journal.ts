// persistence/journal.ts: collects everything that one turn of the engine decides and commits it as one
// batch, so that a decision and all that follows from it are on disk together or not at all. Effects outside
// the process wait here for the commit; if it fails, they never happen.
import type { Action } from '../deciding/actions/action.ts'
import type { Decision } from '../deciding/decision.ts'
import type { Health } from '../deciding/health/health.ts'
import type { Clock } from '../platform/clock.ts'
import { BatchDraft } from '../store/batch-draft.ts'
import { entriesOf, type RecordOf, type RecordType } from '../store/record-types.ts'
import type { BatchKind, CommitBatch, Committed, Recovered, StoredEvent } from '../store/store.ts'
import type { TrendWrite } from '../store/trend.ts'
import { LatencyMeter } from '../telemetry/latency-meter.ts'
import type { SystemMeter } from '../telemetry/system-meter.ts'
import type { Identities } from './identities.ts'

/** Where batches go. Resolves when a batch is on disk. Batches are committed in the order in which they were passed. */
export interface Committer {
  commit(batch: CommitBatch, kind?: BatchKind): Promise<Committed>
  /** Whether anything may be started now; absent if always. */
  holds?(): boolean
  /**
   * Resolves when everything is on disk, or cannot be. Absent if a commit never waits until writing works again.
   */
  drain?(): Promise<void>
}

/**
 * How a turn ended. `refused`: nothing of it is stored, and nothing was done. `uncertain`: writing failed
 * after it was decided; it is stored when writing works again, unless the process ends first.
 */
export type TurnEnd = 'stored' | 'refused' | 'uncertain'

export class Journal {
  readonly latency = new LatencyMeter()
  readonly #committer: Committer
  readonly #clock: Clock
  readonly #meter: SystemMeter
  readonly #draft = new BatchDraft()
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

  /** Entries that were passed to the store and are not on disk yet. */
  get uncommitted(): number {
    return this.#uncommitted
  }

  /** Where the previous process left the log. */
  continueFrom({ position, lastChange }: Pick<Recovered, 'position' | 'lastChange'>): void {
    this.#position = position
    this.#change = lastChange
  }

  keep<Type extends RecordType>(type: Type, record: RecordOf<Type>): void {
    this.#draft.keep(type, record)
  }

  addEvent(event: StoredEvent): void {
    this.#draft.keep('events', event)
  }

  keepState(numericId: number, health: Health | null): void {
    this.#draft.keep('states', { numericId, health })
  }

  keepAction(action: Action): void {
    this.#draft.keep('actions', action)
  }

  keepTrend(write: TrendWrite): void {
    this.#draft.keep('trends', write)
  }

  /** Records a decision, with the number and the revision that each monitor has in the log. */
  record({ steps, events, actions, destinations, escalations }: Decision, identities: Identities): void {
    for (const { row, stored } of steps) {
      const identity = identities.claim(row)
      if (identity !== null) this.keep('identities', identity)
      this.keepState(identities.numberOf(row), stored)
    }
    for (const { row, event } of events)
      this.addEvent({ ...event, ...identities.inLog(row, event.monitorId) })
    for (const action of actions) this.keepAction(action)
    if (destinations !== null) this.keep('destinations', destinations)
    for (const record of escalations) this.keep('escalations', record)
  }

  /** Runs once everything of this turn is on disk. */
  afterCommit(effect: () => void): void {
    this.#effects.push(effect)
  }

  /** Drops everything collected in this turn. */
  discard(): void {
    this.#draft.take()
    this.#effects = []
  }

  /** Ends the turn. Resolves when its batch is on disk, or cannot be stored. */
  async flush(kind: BatchKind = 'kept'): Promise<TurnEnd> {
    if (this.#draft.isEmpty && this.#effects.length === 0) return 'stored'
    const batch = this.#draft.take()
    const effects = this.#effects
    this.#effects = []
    const entries = entriesOf(batch)
    this.#uncommitted += entries
    const began = this.#clock.monotonicMs()
    try {
      const { position, latencyMs } = await this.#committer.commit(batch, kind)
      this.#position = Math.max(this.#position, position)
      this.#change = Math.max(this.#change, batch.resources.at(-1)?.change ?? 0)
      this.latency.note(latencyMs)
    } catch {
      // The storage guard pauses the engine; whatever is not on disk has no effect.
      return kind === 'withdrawable' ? 'refused' : 'uncertain'
    } finally {
      this.#uncommitted -= entries
      this.#meter.begin(began)
      this.#meter.end(this.#clock.monotonicMs(), entries)
    }
    for (const effect of effects) effect()
    return 'stored'
  }

  /** The last flush. A stop must not wait for as long as nothing can be stored. */
  async end(): Promise<void> {
    const flushed = this.flush()
    await (this.#committer.drain?.() ?? flushed)
  }
}
