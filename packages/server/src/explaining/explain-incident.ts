// explaining/explain-incident.ts: why an incident opened, how it ended, and what each destination heard of it: from its record
// and the records of its messages.
import type { v2 } from '@pulseward/contract'
import type { Action } from '../deciding/actions/action.ts'
import { timestamp } from '../platform/wire.ts'
import type { StoredIncident } from '../store/incident.ts'
import { fateOf, titleOf } from './action-words.ts'
import {
  clauseOf,
  decided,
  notApplicable,
  passed,
  sentence,
  spanWords,
  type Teller,
  unrecorded,
} from './explained.ts'

export interface IncidentRecord extends Teller {
  readonly incident: StoredIncident
  /** Its recoveries and notifications, the newest first. */
  readonly actions: readonly Action[]
  /** Of its monitor as it is now; null if the incident has closed, or the monitor has left the fleet. */
  readonly present: v2.DecisionExplanation | null
}

/** An open incident has the rules of its monitor now; a closed one has those that its record names. */
export function explainIncident(record: IncidentRecord): v2.DecisionExplanation {
  const { incident, present } = record
  return {
    kind: 'Incident',
    id: incident.id,
    at: timestamp(record.at),
    summary: summaryOf(record),
    monitorID: incident.monitorId,
    incidentID: incident.id,
    rules: present === null ? recordedRules(record) : present.rules,
    next: present === null ? [] : present.next,
  }
}

function summaryOf(record: IncidentRecord): string {
  const { incident, names } = record
  const { because, closed, monitorId, openedAt } = incident
  const why = clauseOf(because, record) ?? unrecorded
  const name = names(monitorId)
  if (closed === null) {
    const since = openedAt === null ? '' : ` since ${timestamp(openedAt)}`
    return sentence(`The incident of ${name} is open${since}`, why)
  }
  const when = openedAt === null ? `until ${timestamp(closed.at)}` : spanWords(openedAt, closed.at)
  return sentence(`The incident of ${name} was open ${when}`, why)
}

function recordedRules(record: IncidentRecord): v2.ExplainedRule[] {
  const { incident } = record
  return [
    decided('threshold', sentence(clauseOf(incident.because, record) ?? unrecorded), incident.because),
    endRule(record),
    ...deliveries(record, 'intervention'),
    acknowledgementRule(record),
    ...deliveries(record, 'code'),
  ]
}

function acknowledgementRule({ incident }: IncidentRecord): v2.ExplainedRule {
  const { acknowledgedAt, acknowledgedBy, dismissal } = incident.handling
  if (dismissal !== null)
    return decided(
      'acknowledgement',
      sentence('It was dismissed: nothing more was sent of it', dismissal.reason),
    )
  if (acknowledgedBy === null) return passed('acknowledgement', 'Nobody acknowledged it.')
  const when = acknowledgedAt === null ? '' : ` at ${timestamp(acknowledgedAt)}`
  return decided('acknowledgement', `${acknowledgedBy} acknowledged it${when}.`)
}

function deliveries(record: IncidentRecord, kind: Action['kind']): v2.ExplainedRule[] {
  const rule = kind === 'code' ? 'delivery' : 'recovery'
  const own = record.actions.filter((action) => action.kind === kind).toReversed()
  if (own.length === 0)
    return [notApplicable(rule, kind === 'code' ? 'Nothing was sent of it.' : 'No recovery was tried.')]
  return own.map((action) =>
    decided(
      rule,
      sentence(`${titleOf(action, record)} ${fateOf(action, record)}`),
      action.endedBecause ?? action.because,
    ),
  )
}

const ends: Readonly<Record<string, string>> = {
  recovered: 'the monitor recovered',
  disabled: 'the monitor was disabled',
  removed: 'the monitor was removed',
}

function endRule({ incident: { closed } }: IncidentRecord): v2.ExplainedRule {
  if (closed === null) return notApplicable('enabled', 'Its monitor has left the fleet.')
  const why = ends[closed.outcome ?? ''] ?? null
  return decided('threshold', sentence(`It closed at ${timestamp(closed.at)}`, why))
}
