// client/describing/incident.ts: one incident for people: which monitor, why, who looks into it, what was done about it, and
// what happens next.
import type { v1, v2 } from '@pulseward/client'
import { reasonSentence } from '@pulseward/contract/v1/words'
import { type MonitorDetail, readWithState } from '../subjects/fleet.ts'
import { actionColumns } from '../subjects/records.ts'
import { statusWord } from '../subjects/words.ts'
import { type Phrase, table } from '../table/block.ts'
import { moment } from '../table/values.ts'
import { type Describe, ifReadable, known, next } from './description.ts'
import { eventBlocks } from './events.ts'
import { actionSentences, closingChecks, lasted } from './monitor.ts'
import { pageSentences } from './on-call.ts'

type Action = v1.ActionEntry | v1.NextActionEntry

/** Actions of the incident are among the last of its monitor. */
const actionsRead = 100

export const describeIncident: Describe<v2.Incident> = async (incident, reading) => {
  const { client, options } = reading
  const { id, monitorID, state } = incident
  const [monitor, listed, events] = await Promise.all([
    ifReadable(readWithState(client, monitorID, options)),
    ifReadable(client.listActions({ monitorID, limit: actionsRead }, options)),
    eventBlocks(monitorID, { incidentId: id }, reading),
  ])
  const ids = new Set(listed?.data.items.filter((one) => one.incidentID === id).map((one) => one.id))
  const detail = monitor?.detail ?? null
  const all: readonly Action[] = monitor?.state.actions ?? []
  const actions = all.filter((action) => ids.has(action.id))
  return [
    known([
      ['Incident', id],
      ['State', state],
      ['Monitor', detail === null ? monitorID : `${detail.name} (${monitorID})`],
      ['Status', state === 'open' && detail !== null && statusWord(detail)],
      ['Why', state === 'open' && detail !== null && reasonSentence(detail.status, detail.status_reason)],
      [incident.dismissed ? 'Dismissed because' : 'Cause', incident.reason],
      ['Last error', incident.dismissed && state === 'open' && detail?.last_error],
      ['Opened', moment(incident.openedAt)],
      ['Closed', moment(incident.closedAt)],
      ['Lasted', lasted(incident)],
      ['Acknowledged', acknowledged(incident)],
    ]),
    ...next([...nextOf(incident, detail), ...actionSentences(actions)]),
    ...(actions.length === 0
      ? []
      : [table<Action>(actionColumns, actions, { heading: 'Actions', empty: '' })]),
    ...events,
  ]
}

function acknowledged({ acknowledgedBy, acknowledgedAt }: v2.Incident): Phrase | null {
  if (acknowledgedBy === undefined) return null
  const since = moment(acknowledgedAt)
  return ['by ', acknowledgedBy, ...(since === null ? [] : [', ', since])]
}

function nextOf(incident: v2.Incident, detail: MonitorDetail | null): (string | Phrase)[] {
  if (incident.state !== 'open' || detail === null) return []
  const { next_check: nextCheck } = detail
  const check = nextCheck === null ? [] : [' The next check is at ', moment(nextCheck), '.']
  return [
    [`It closes after ${closingChecks(detail)}.`, ...check],
    ...pageSentences(incident.escalation),
    ...(incident.dismissed
      ? [`Its notifications are stopped. To start them again: pulseward reopen ${incident.id}`]
      : []),
    ...(incident.acknowledgedBy === undefined && !incident.dismissed
      ? [`Nobody has acknowledged it yet: pulseward ack ${incident.id}`]
      : []),
  ]
}
