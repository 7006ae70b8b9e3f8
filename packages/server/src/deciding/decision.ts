// deciding/decision.ts: everything that follows from one input, in the order in which it was decided: new states of
// monitors, actions and events. The engine stores all of it in one batch before any of it takes effect.
import type { Action } from './actions/action.ts'
import type { DestinationRecord } from './actions/destination.ts'
import type { ActionEvent, LedgerDecision } from './actions/ledger-decision.ts'
import type { Health, HealthRules, Instant } from './health/health.ts'
import type { Asked } from './health/input.ts'
import type { MonitorEvent, Step } from './health/step.ts'
import type { EscalationDecision } from './on-call/escalation-decision.ts'
import type { EscalationRecord } from './on-call/page.ts'

/** A step of one monitor's health. */
export interface DecidedStep {
  readonly row: number
  readonly before: Health
  readonly step: Step
  /** The new state if it has to be stored; null if the columns hold all of it. */
  readonly stored: Health | null
  readonly rules: HealthRules
}

/** An event of the log, without the monitor's number and revision, which the journal adds. */
export interface DecidedEvent extends Omit<ActionEvent, 'type'> {
  readonly type: ActionEvent['type'] | MonitorEvent['type'] | 'control_noted' | 'escalation'
}

export interface PlacedEvent {
  /** The monitor's row; -1 if the event is not about a monitor, or about one that has left the fleet. */
  readonly row: number
  readonly event: DecidedEvent
}

export interface Decision {
  readonly steps: readonly DecidedStep[]
  readonly events: readonly PlacedEvent[]
  /** If an id occurs several times, the last one is stored. */
  readonly actions: readonly Action[]
  /** The records of all destinations that have one; null if none changed. */
  readonly destinations: readonly DestinationRecord[] | null
  /** What changed about pages; of equal keys, the last one is stored. */
  readonly escalations: readonly EscalationRecord[]
}

export const nothingDecided: Decision = {
  steps: [],
  events: [],
  actions: [],
  destinations: null,
  escalations: [],
}

export class DecisionDraft {
  readonly #steps: DecidedStep[] = []
  readonly #events: PlacedEvent[] = []
  readonly #actions: Action[] = []
  readonly #escalations: EscalationRecord[] = []
  destinationsChanged = false

  addStep(step: DecidedStep, monitorId: string): void {
    this.#steps.push(step)
    for (const event of step.step.events)
      this.#events.push({ row: step.row, event: loggedEvent(monitorId, event) })
  }

  addEvent(row: number, event: DecidedEvent): void {
    this.#events.push({ row, event })
  }

  addEscalation({ records, events }: EscalationDecision, rowOf: (monitorId: string) => number): void {
    for (const record of records) this.#escalations.push(record)
    for (const { detail, ...event } of events)
      this.#events.push({
        row: rowOf(event.monitorId),
        event: { ...withoutDetails, ...event, type: 'escalation', detail },
      })
  }

  addActions(decision: LedgerDecision, rowOf: (monitorId: string) => number): void {
    for (const action of decision.actions) this.#actions.push(action)
    for (const event of decision.events)
      this.#events.push({ row: event.monitorId === null ? -1 : rowOf(event.monitorId), event })
    if (decision.destinationsChanged) this.destinationsChanged = true
  }

  get actions(): readonly Action[] {
    return this.#actions
  }

  finish(destinations: () => readonly DestinationRecord[]): Decision {
    const isEmpty = this.#steps.length + this.#events.length + this.#actions.length === 0
    if (isEmpty && !this.destinationsChanged && this.#escalations.length === 0) return nothingDecided
    return {
      steps: this.#steps,
      events: this.#events,
      actions: this.#actions,
      escalations: this.#escalations,
      destinations: this.destinationsChanged ? destinations() : null,
    }
  }
}

/** An event of a monitor's health, as it appears in the log. */
export function loggedEvent(monitorId: string, event: MonitorEvent): DecidedEvent {
  const { at, type, because } = event
  const base = { ...withoutDetails, monitorId, at, type, because }
  switch (event.type) {
    case 'incident_opened':
      return { ...base, incidentId: event.incidentId }
    case 'incident_closed':
      return { ...base, incidentId: event.incidentId, outcome: event.outcome }
    case 'incident_suppressed':
      return { ...base, detail: { suppressedBy: event.because.ancestor } }
    case 'snooze_expired':
      return { ...base, incidentId: event.incidentId, detail: { revision: event.revision } }
    default: {
      const { actor, reason, note } = event.asked
      const incidentId = 'incidentId' in event ? event.incidentId : null
      const actionId = 'actionId' in event ? event.actionId : null
      const until = 'untilWallMs' in event ? { untilWallMs: event.untilWallMs } : {}
      return {
        ...base,
        incidentId,
        actionId,
        actor,
        detail: { reason, note, revision: event.revision, ...until },
      }
    }
  }
}

/** Somebody has added a note to the record of an incident. */
export function notedEvent(
  { monitorId, incidentId, revision, asked }: IncidentNoted,
  at: Instant,
): DecidedEvent {
  const { actor, reason, note } = asked
  return {
    ...withoutDetails,
    monitorId,
    incidentId,
    at,
    type: 'control_noted',
    actor,
    detail: { reason, note, revision },
    because: { kind: 'control', verb: 'note', actor },
  }
}

/** A note by a person, on an incident that is open or closed. */
export interface IncidentNoted {
  readonly monitorId: string
  readonly incidentId: string
  /** Of the incident; a note leaves it as it is. */
  readonly revision: number
  readonly asked: Asked
}

const withoutDetails = {
  incidentId: null,
  actionId: null,
  kind: null,
  color: null,
  endpoint: null,
  outcome: null,
  actor: null,
  detail: null,
}
