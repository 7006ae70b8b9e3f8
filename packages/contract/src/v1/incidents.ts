// v1/incidents.ts: a page of open incidents, oldest first. Each is the row of its monitor plus the progress
// of the incident.
import { type Static, type TSchema, Type } from 'typebox'
import { Verification } from './monitor-detail.ts'
import { mainRowFields, nextRowFields, rowFields } from './monitor-row.ts'
import { pageFields } from './page.ts'
import {
  actionKinds,
  actionOutcomes,
  actionStates,
  Count,
  Flag,
  field,
  nextActionOutcomes,
  nullable,
  oneOf,
  Text,
  Timestamp,
} from './values.ts'

function lastActionOf<Outcomes extends readonly string[]>(outcomes: Outcomes) {
  return Type.Object(
    {
      kind: field(oneOf(actionKinds), 'Recovery action or notification.'),
      state: field(oneOf(actionStates), 'How far it is.'),
      outcome: nullable(oneOf(outcomes), 'How it ended.'),
      at: field(Timestamp, 'When it came into this state.'),
    },
    { description: 'What was last done about an incident.' },
  )
}

export const LastAction = lastActionOf(actionOutcomes)
export const NextLastAction = lastActionOf(nextActionOutcomes)

const incidentFields = {
  incident_id: field(Text, 'The identity of the incident.'),
  opened_at: field(Timestamp, 'When it was opened.'),
  acknowledged_by: nullable(Text, 'Who is looking into it.'),
  dismissed: field(Flag, 'No more notifications are sent about it.'),
  last_error: nullable(Text, 'Why the last check failed, redacted: not markup.'),
  suppresses: field(Count, 'Monitors that are quiet because they depend on this one.'),
  verification: nullable(Verification, 'The count of healthy checks after a recovery action, while it runs.'),
  last_action: nullable(LastAction, 'What was last done about it.'),
}

export const Incident = Type.Object(
  { ...rowFields, ...incidentFields },
  { description: 'An open incident with the row of its monitor.' },
)
export const MainIncident = Type.Object(
  { ...mainRowFields, ...incidentFields },
  { description: 'An open incident with the row of its monitor, as main shows it: without monitor_id.' },
)
export const NextIncident = Type.Object(
  {
    ...nextRowFields,
    ...incidentFields,
    acknowledged_at: nullable(Timestamp, 'Since when it is acknowledged.'),
    last_action: nullable(NextLastAction, 'What was last done about it.'),
  },
  {
    description:
      'An open incident with the row of its monitor, as next shows it: with the time of its acknowledgement.',
  },
)

function listOf<Row extends TSchema>(row: Row) {
  return Type.Object(
    { ...pageFields, incidents: Type.Array(row, { description: 'The incidents of this page.' }) },
    { description: 'A page of open incidents, ordered by opened_at, then id.' },
  )
}

export const IncidentList = listOf(Incident)
export const MainIncidentList = listOf(MainIncident)
export const NextIncidentList = listOf(NextIncident)

export type Incident = Static<typeof Incident>
export type MainIncident = Static<typeof MainIncident>
export type NextIncident = Static<typeof NextIncident>
export type IncidentList = Static<typeof IncidentList>
export type MainIncidentList = Static<typeof MainIncidentList>
export type NextIncidentList = Static<typeof NextIncidentList>
