// explaining/explain-past.ts: why a monitor was as it was at an earlier moment, from the log and the configuration of that time:
// what was recorded configured, and what came next. What is not recorded is not answered by the configuration of today.
import type { v2 } from '@pulseward/contract'
import { timestamp } from '../platform/wire.ts'
import { causeOf, fateOf, titleOf } from './action-words.ts'
import { policyNameOf } from './configured.ts'
import { comparedThen, isUnrecordedThen } from './configured-then.ts'
import { type Coming, clauseOf, comingChanges, sentence, type Teller, unrecorded } from './explained.ts'
import type { Past } from './past.ts'
import { obstacleThen, type PastFacts, rulesThen } from './past-rules.ts'
import { isNamed } from './route-rules.ts'

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
export function explainUnrecorded(id: string, { at, names }: Teller, begins: number): v2.DecisionExplanation {
  const record = `the record begins at ${timestamp(begins)}`
  const summary = sentence(`What ${names(id)} was at ${timestamp(at)} is not known`, record)
  return { kind: 'Monitor', id, at: timestamp(at), summary, monitorID: id, rules: [], next: [] }
}

function stateThen(facts: PastFacts): string {
  const { at, id, names, past, configured } = facts
  if (past.incident === null && configured.monitor === 'none')
    return sentence(`${names(id)} was not in the fleet at ${timestamp(at)}`)
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
  const why = obstacleThen(facts) ?? whyNotQueued(facts, endpoint)
  return sentence(`No red of ${names(id)} went to ${endpoint}`, why)
}

function whyNotQueued({ past, configured }: PastFacts, endpoint: string): string {
  if (!isUnrecordedThen(configured) && !configured.endpoints.has(endpoint))
    return 'there was no such destination'
  const compared = comparedThen(configured)
  if (compared !== null && !isNamed(compared, endpoint) && policyNameOf(compared) === null)
    return 'the monitor, the default and the routes did not name it'
  return past.incident === null ? 'no incident was open' : 'none was queued for it'
}

/** What the log has after that moment. */
function whatCame({ incident, nextIncident }: Past): Coming[] {
  if (incident !== null)
    return incident.closed === null ? [] : [{ at: incident.closed.at, text: 'The incident closed.' }]
  return nextIncident === null ? [] : [{ at: nextIncident.openedAt, text: 'An incident opened.' }]
}
