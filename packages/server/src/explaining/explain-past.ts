// explaining/explain-past.ts: why a monitor was as it was at an earlier moment, from the log alone: what was recorded then, and
// what came next. It says which rules the log does not know, in place of an answer by the configuration of today.
import type { v2 } from '@pulseward/contract'
import type { Action } from '../deciding/actions/action.ts'
import { timestamp } from '../platform/wire.ts'
import { causeOf, fateOf, titleOf } from './action-words.ts'
import {
  type Coming,
  clauseOf,
  comingChanges,
  decided,
  notApplicable,
  passed,
  sentence,
  spanWords,
  type Teller,
  unrecorded,
} from './explained.ts'
import type { Past } from './past.ts'

export interface PastFacts extends Teller {
  readonly id: string
  readonly past: Past
  readonly endpoint: string | null
}

export function explainPast(facts: PastFacts): v2.DecisionExplanation {
  const { at, endpoint, id, past } = facts
  return {
    kind: 'Monitor',
    id,
    at: timestamp(at),
    summary: endpoint === null ? stateThen(facts) : heardThen(facts, endpoint),
    monitorID: id,
    ...(past.incident === null ? {} : { incidentID: past.incident.id }),
    rules: rulesThen(facts),
    next: comingChanges(whatCame(past)),
  }
}

/** For a moment of which nothing is kept. */
export function explainUnrecorded(
  id: string,
  { at, names }: Teller,
  begins: number | null,
): v2.DecisionExplanation {
  const record =
    begins === null ? 'nothing has been recorded yet' : `the record begins at ${timestamp(begins)}`
  const summary = sentence(`What ${names(id)} was at ${timestamp(at)} is not known`, record)
  return { kind: 'Monitor', id, at: timestamp(at), summary, monitorID: id, rules: [], next: [] }
}

function stateThen(facts: PastFacts): string {
  const { at, id, names, past } = facts
  if (past.incident === null)
    return sentence(`No incident of ${names(id)} was open at ${timestamp(at)}`, obstacleThen(facts))
  const { because, openedAt } = past.incident
  const since = openedAt === null ? '' : ` since ${timestamp(openedAt)}`
  return sentence(`The incident of ${names(id)} was open${since}`, clauseOf(because, facts) ?? unrecorded)
}

function heardThen(facts: PastFacts, endpoint: string): string {
  const { id, names, past } = facts
  const last = past.actions.find((action) => action.endpoint === endpoint)
  if (last !== undefined)
    return sentence(`${titleOf(last, facts)} ${fateOf(last, facts)}`, causeOf(last, facts))
  const why =
    obstacleThen(facts) ?? (past.incident === null ? 'no incident was open' : 'none was queued for it')
  return sentence(`No red of ${names(id)} went to ${endpoint}`, why)
}

function obstacleThen({ names, past: { ancestor, snoozedUntilMs } }: PastFacts): string | null {
  if (snoozedUntilMs !== null) return `it was snoozed until ${timestamp(snoozedUntilMs)}`
  if (ancestor === null) return null
  const { from, id, to } = ancestor
  const when = to === null ? `since ${timestamp(from)}` : spanWords(from, to)
  return `${names(id)}, on which it depends, was down ${when}`
}

const notKept = 'Its configuration of that time is not kept.'

function rulesThen(facts: PastFacts): v2.ExplainedRule[] {
  const { names, past } = facts
  const { ancestor, incident, snoozedUntilMs } = past
  const obstacle = obstacleThen(facts)
  return [
    notApplicable('enabled', notKept),
    snoozedUntilMs === null ? passed('snooze', 'It was not snoozed.') : decided('snooze', sentence(obstacle)),
    notApplicable('maintenance', notKept),
    ancestor === null
      ? passed('dependency', 'No incident was suppressed by what it depends on.')
      : decided('dependency', sentence(obstacle), { kind: 'ancestor', ancestor: names(ancestor.id) }),
    notApplicable('own_fault', 'Which single checks Pulseward could not make is not kept.'),
    notApplicable('locations', 'What single locations said is not kept.'),
    incident === null
      ? notApplicable('threshold', 'Failed checks that opened no incident are not kept.')
      : decided('threshold', sentence(clauseOf(incident.because, facts) ?? unrecorded), incident.because),
    ...fates('recovery', 'intervention', facts),
    notApplicable('routes', `${notKept} What was queued for each destination is.`),
    ...fates('delivery', 'code', facts),
  ]
}

function fates(rule: 'recovery' | 'delivery', kind: Action['kind'], facts: PastFacts): v2.ExplainedRule[] {
  const own = facts.past.actions.filter((action) => action.kind === kind).toReversed()
  if (own.length === 0)
    return [
      notApplicable(rule, kind === 'code' ? 'Nothing had been sent of it.' : 'No recovery had been tried.'),
    ]
  return own.map((action) =>
    decided(
      rule,
      sentence(`${titleOf(action, facts)} ${fateOf(action, facts)}`),
      action.endedBecause ?? action.because,
    ),
  )
}

/** What the log has after that moment. */
function whatCame({ incident, nextIncident }: Past): Coming[] {
  if (incident !== null)
    return incident.closed === null ? [] : [{ at: incident.closed.at, text: 'The incident closed.' }]
  return nextIncident === null ? [] : [{ at: nextIncident.openedAt, text: 'An incident opened.' }]
}
