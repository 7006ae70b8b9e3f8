// deciding/consequences.ts: what follows from a step of a monitor's health or from a decision of the ledger. The two
// answer each other (a failed check queues an intervention, its answer opens an incident, which queues codes); all of
// it goes into the journal of the same turn, so that it is committed together. Nothing here reaches out.

import { LastActions } from '../acting/last-actions.ts'
import type { RecoveryAccount } from '../acting/recovery-account.ts'
import type { Journal } from '../engine/journal.ts'
import { codeNumber, noCode } from '../fleet/columns.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Identities } from '../persistence/identities.ts'
import { emptyEvent, type StoredEvent } from '../store/store.ts'
import { type Decision, type HealthReport, nothingDecided } from './actions/decision.ts'
import type { Ledger } from './actions/ledger.ts'
import type { Routing } from './actions/routing.ts'
import type { Health, Instant } from './health/health.ts'
import type { MonitorEvent, Step } from './health/step.ts'

export interface ConsequencesOptions {
  readonly fleet: Fleet
  readonly ledger: Ledger
  readonly journal: Journal
  readonly identities: Identities
  readonly recoveries: RecoveryAccount
  /** Gives what became of an intervention to the monitor's health, whose step comes back here. */
  readonly report: (row: number, report: HealthReport) => void
  /** Everything that was decided about actions, for those who count. */
  readonly observed: (decision: Decision) => void
}

export class Consequences {
  readonly lastActions = new LastActions()
  readonly #options: ConsequencesOptions
  /** Monitors that the ledger has a book of. */
  readonly #rows = new Map<string, number>()
  #routing: Routing | null = null

  constructor(options: ConsequencesOptions) {
    this.#options = options
  }

  /** The fleet holds a new arrangement. */
  route(routing: Routing): void {
    this.#routing = routing
  }

  /** The row of a monitor that has actions; -1 when it is not in the fleet any more. */
  rowOf(monitorId: string): number {
    return this.#rows.get(monitorId) ?? -1
  }

  /** A monitor whose actions another run left. */
  bind(monitorId: string, row: number): void {
    this.#rows.set(monitorId, row)
  }

  /** kept is what has to be stored of the state: null when its columns say it all. */
  ofStep(row: number, before: Health, step: Step, kept: Health | null, now: Instant): void {
    const { ledger, identities, journal, recoveries, fleet } = this.#options
    const monitorId = fleet.idOf(row)
    this.#writeIdentity(row)
    journal.keepState(identities.numberOf(row), kept)
    for (const event of step.events) journal.addEvent(this.#monitorEvent(row, monitorId, event))
    recoveries.noteStep(before, step, fleet.recoveryOf(row) !== null)
    if (step.effects.length === 0 && !ledger.concerns(monitorId)) return
    this.#rows.set(monitorId, row)
    const destinationsOf = (color: keyof typeof codeNumber) => this.#routing!.destinationsOf(row, color)
    this.ofDecision(ledger.apply({ monitorId, before, step, destinationsOf }, now))
    this.showCode(row, monitorId)
  }

  ofDecision(decision: Decision): void {
    const { journal, ledger } = this.#options
    if (decision === nothingDecided) return
    for (const action of decision.actions) {
      journal.keepAction(action)
      this.lastActions.note(action)
      this.#options.recoveries.noteAction(action)
    }
    for (const event of decision.events) {
      journal.addEvent({ ...event, ...this.#identityOf(event.monitorId) })
    }
    if (decision.destinationsChanged) journal.keepDestinations(ledger.view.destinationRecords())
    this.#options.observed(decision)
    for (const report of decision.health) {
      const row = this.rowOf(report.monitorId)
      if (row >= 0) this.#options.report(row, report)
    }
    for (const { monitorId } of decision.actions)
      if (monitorId !== null) this.showCode(this.rowOf(monitorId), monitorId)
  }

  /** The monitor leaves the fleet: what it had started goes on, but concerns no row. */
  forget(row: number, monitorId: string): void {
    if (this.#rows.get(monitorId) === row) this.#rows.delete(monitorId)
  }

  showCode(row: number, monitorId: string): void {
    const { fleet, ledger } = this.#options
    if (row < 0) return
    const code = ledger.view.pendingCodeOf(monitorId)
    fleet.setCode(row, code === null ? noCode : codeNumber[code])
    if (ledger.concerns(monitorId)) return
    this.#rows.delete(monitorId)
    this.lastActions.forget(monitorId)
  }

  /** Actions may outlast the presence of their monitor. */
  #identityOf(monitorId: string | null): Pick<StoredEvent, 'numericId' | 'revision'> {
    const { identities } = this.#options
    if (monitorId === null) return { numericId: null, revision: null }
    const row = this.rowOf(monitorId)
    if (row >= 0) return { numericId: identities.numberOf(row), revision: identities.revisionOf(row) }
    const departed = identities.departed(monitorId)
    return { numericId: departed?.numericId ?? null, revision: departed?.revision ?? null }
  }

  #writeIdentity(row: number): void {
    const identity = this.#options.identities.claim(row)
    if (identity !== null) this.#options.journal.keepIdentity(identity)
  }

  #monitorEvent(row: number, monitorId: string, event: MonitorEvent): StoredEvent {
    const { identities } = this.#options
    return monitorEvent(event, {
      monitorId,
      numericId: identities.numberOf(row),
      revision: identities.revisionOf(row),
    })
  }
}

/** An event of a monitor's health as the log keeps it. */
export function monitorEvent(
  event: MonitorEvent,
  identity: Pick<StoredEvent, 'monitorId' | 'numericId' | 'revision'>,
): StoredEvent {
  const base = { ...emptyEvent, ...identity, at: event.at, type: event.type }
  switch (event.type) {
    case 'incident_opened':
      return { ...base, incidentId: event.incidentId }
    case 'incident_closed':
      return { ...base, incidentId: event.incidentId, outcome: event.outcome }
    case 'incident_suppressed':
      return { ...base, detail: { suppressedBy: event.suppressedBy } }
  }
}
