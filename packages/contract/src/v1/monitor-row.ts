// v1/monitor-row.ts: a monitor as lists, incidents and details show it. Only editions that keep state have
// the stable identity, and only next has the end of a snooze; all other fields are the same everywhere.
import { type Static, Type } from 'typebox'
import {
  Count,
  codes,
  Flag,
  field,
  Measure,
  MonitorNumber,
  nullable,
  oneOf,
  Percent,
  statuses,
  Text,
  Timestamp,
} from './values.ts'

const Status = oneOf(statuses)
const Milliseconds = Type.Integer({ minimum: 1 })

const commonFields = {
  id: field(MonitorNumber, 'The number of the monitor in paths.'),
  name: field(Text, 'Its name, as configured: not markup.'),
  pulse_type: field(Text, 'The kind of its check: http, tcp, …'),
  status: field(Status, 'The first of these that applies.'),
  incident: field(Flag, 'An incident is open.'),
  pending_code: field(
    oneOf([...codes, '']),
    'The most important color with a notification queued or in flight; empty when there is none.',
  ),
  active_codes: Type.Array(oneOf(codes), {
    description: 'All colors with a notification queued or in flight, the most important first.',
  }),
  target: field(Text, 'What is checked, without user info, query and fragment.'),
  interval_ms: field(
    Milliseconds,
    'Time between two checks; of a push monitor, between the last due and the next.',
  ),
  timeout_ms: field(Milliseconds, 'How long a check may take.'),
  consecutive_failures: field(Count, 'Failures since the last success.'),
  last_check: nullable(Timestamp, 'When the last result came.'),
  last_success: nullable(Timestamp, 'When the last success came.'),
  next_check: nullable(
    Timestamp,
    'When the next check is due, or the next signal of a push monitor; null when there will be none, and while the data is stale.',
  ),
  latency_ms: nullable(Measure, 'How long the last check took to its answer.'),
  healthy_samples: field(Count, 'Healthy checks.'),
  total_samples: field(Count, 'All checks that said something about the target.'),
  healthy_sample_percent: nullable(Percent, 'The share of the two. Not an SLA.'),
  warning: nullable(Text, 'The active warning, in words.'),
  unknown_actions: field(Count, 'Actions whose outcome is unknown.'),
  tags: Type.Array(Text, { description: 'Its tags, as configured.' }),
}

export const MonitorId = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]*$',
  description: 'The stable identity: the configured id, or name: and the SHA-256 of the name.',
})

/** Without the stable identity. */
export const mainRowFields = commonFields

export const rowFields = { monitor_id: MonitorId, ...commonFields }

/** Only next has snoozes. */
export const nextRowFields = {
  ...rowFields,
  snoozed_until: nullable(Timestamp, 'Until then it is not checked and nobody is notified.'),
}

export const MonitorRow = Type.Object(rowFields, { description: 'A monitor.' })
export const MainMonitorRow = Type.Object(mainRowFields, {
  description: 'A monitor, as main shows it: without monitor_id.',
})

export const NextMonitorRow = Type.Object(nextRowFields, {
  description: 'A monitor, as next shows it: with the end of its snooze.',
})

export type MonitorRow = Static<typeof MonitorRow>
export type MainMonitorRow = Static<typeof MainMonitorRow>
export type NextMonitorRow = Static<typeof NextMonitorRow>
