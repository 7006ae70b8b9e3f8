// fenced-simulation/fenced-oracle.ts: judges what several processes on one store do, by what can be seen from outside: the
// database, the providers and the targets.
import type { HistoryEvent } from '@pulseward/contract'
import type { CommitBatch, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import * as audit from '../crash/audit.ts'
import type { CrashMonitor } from '../crash/crash-fleet.ts'
import type { DatabaseWitness, SimulatedDatabase } from './simulated-database.ts'

export interface FencedViolation {
  readonly rule: string
  readonly words: string
  readonly atMs: number
}

export class FencedOracle implements DatabaseWitness {
  first: FencedViolation | null = null
  readonly #nowMs: () => number
  /** The run that has taken over from each. */
  readonly #fencedBy = new Map<string, string>()
  readonly #written = new Set<StoredEvent>()
  readonly #started = new Set<string>()
  readonly #calls: { readonly actionId: string }[] = []
  readonly #called = new Set<string>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  get effects(): number {
    return this.#calls.length
  }

  tookOver(run: string, before: string): void {
    this.#fencedBy.set(before, run)
  }

  committed(run: string, { events }: CommitBatch, fencedBy: string | null): void {
    const by = fencedBy ?? this.#fencedBy.get(run)
    if (by !== undefined) this.#note('a fenced process commits nothing', `${run} does, after ${by} took over`)
    for (const event of events) {
      if (this.#written.has(event))
        this.#note('each event once', `${event.type} of ${event.monitorId} is written again`)
      this.#written.add(event)
      if (event.type === 'action_started') this.#started.add(event.actionId!)
    }
  }

  acknowledged(run: string, { events }: CommitBatch): void {
    const lost = events.find((event) => !this.#written.has(event))
    if (lost !== undefined)
      this.#note('what is acknowledged is kept', `${lost.type} of ${lost.monitorId} by ${run} is not there`)
  }

  called(run: string, actionId: string): void {
    const by = this.#fencedBy.get(run)
    if (by !== undefined)
      this.#note('a fenced process calls no provider', `${run} calls for ${actionId} after ${by} took over`)
    if (!this.#started.has(actionId)) this.#note('started before it is called', `${actionId} is not`)
    if (this.#called.has(actionId)) this.#note('each effect once', `${actionId} is called again`)
    this.#called.add(actionId)
    this.#calls.push({ actionId })
  }

  checked(run: string, monitorId: string): void {
    const by = this.#fencedBy.get(run)
    if (by !== undefined)
      this.#note('a fenced process checks nothing', `${run} checks ${monitorId} after ${by} took over`)
  }

  failed(run: string, error: unknown): void {
    this.#note('every process goes on or ends', `${run}: ${(error as Error).stack}`)
  }

  /** Long after the last fault. */
  async ended({ store }: SimulatedDatabase, monitors: ReadonlyMap<string, CrashMonitor>): Promise<void> {
    const { events } = await store.readEvents({
      monitorId: null,
      order: 'asc',
      upTo: Number.MAX_SAFE_INTEGER,
      after: null,
      limit: Number.MAX_SAFE_INTEGER,
    })
    const history = events.map((event, index) => asHistory(event, index + 1))
    const judgements: Readonly<Record<string, readonly string[]>> = {
      'incidents open and close in turn': audit.disorderedIncidents(history),
      'actions go their way': audit.disorderedActions(history),
      'every call was started': audit.unfoundedCalls(history, this.#calls),
      'every incident is told': audit.untoldIncidents(history, monitors),
      'what was started has an end': audit.openAfterRestart(history, history),
    }
    for (const [rule, [words]] of Object.entries(judgements)) if (words !== undefined) this.#note(rule, words)
  }

  #note(rule: string, words: string): void {
    this.first ??= { rule, words, atMs: this.#nowMs() }
  }
}

/** As v1 shows it, as far as the audit reads. */
function asHistory(event: StoredEvent, position: number): HistoryEvent {
  const { type, monitorId, incidentId, actionId, color, endpoint, outcome } = event
  return {
    id: String(position),
    ...{ type, color, endpoint, outcome },
    ...{ monitor_id: monitorId, incident_id: incidentId, action_id: actionId },
  } as unknown as HistoryEvent
}
