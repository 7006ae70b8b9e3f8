// v1/monitor-detail.ts: one monitor with all that is known about it.
import { type Static, Type } from 'typebox'
import { Audience } from './audience.ts'
import { v1Limits } from './limits.ts'
import { mainRowFields, rowFields } from './monitor-row.ts'
import { staleField } from './stale.ts'
import {
  Count,
  checkOutcomes,
  Flag,
  field,
  Measure,
  nullable,
  oneOf,
  pushSignals,
  pushStates,
  Text,
  Timestamp,
} from './values.ts'

const Threshold = Type.Integer({ minimum: 1 })

export const Verification = Type.Object(
  {
    healthy: field(Count, 'Healthy checks so far.'),
    needed: field(Threshold, 'How many it takes.'),
  },
  { description: 'A recovery action was accepted; healthy checks are being counted.' },
)

/** A job that reports by itself. Its texts come from the job, redacted: not markup. */
export const PushReport = Type.Object(
  {
    state: field(
      oneOf(pushStates),
      'new: it has not reported yet. late: a signal is due. down: it was missed.',
    ),
    due_at: nullable(Timestamp, 'When the next signal is expected; null until the first one came.'),
    late_since: nullable(Timestamp, 'Since when a signal is due; null if none is.'),
    last_signal_at: nullable(Timestamp, 'When the last signal came.'),
    last_signal: nullable(oneOf(pushSignals), 'What it said.'),
    previous_key_used_at: nullable(Timestamp, 'When the key before the present one was last used.'),
    hint: nullable(Text, 'What looks wrong with its schedule.'),
    runs: Type.Array(
      Type.Object({
        rid: field(Text, 'The id of the run; empty for the run without one.'),
        started_at: field(Timestamp, 'When it started.'),
      }),
      { description: 'Runs that started and have not ended, oldest first.' },
    ),
    signals: Type.Array(
      Type.Object({
        at: field(Timestamp, 'When it came.'),
        kind: field(oneOf(pushSignals), 'What it said.'),
        rid: field(Text, 'The id of its run; empty for the run without one.'),
        exit_code: nullable(Count, 'The exit code that it gave.'),
        message: field(Text, 'What the job said in a sentence.'),
        output: field(Text, 'The end of what the job sent with it.'),
        run_ms: nullable(Measure, 'How long the run took; null if its start is not known.'),
      }),
      {
        description:
          'The last signals that left more than their time (failures, runs, logs, and whatever was said), newest first; in memory only.',
      },
    ),
  },
  { description: 'A job that reports by itself.' },
)
export type PushReport = Static<typeof PushReport>

export const LocationFinding = Type.Object(
  {
    location: field(Text, 'The location; local is the service itself.'),
    at: nullable(Timestamp, 'When it was last heard of; null if not since the service started.'),
    outcome: nullable(
      oneOf(checkOutcomes),
      'What its check came to; own_fault and no_data say nothing about the target.',
    ),
    latency_ms: nullable(Measure, 'How long it took; null if nothing was measured.'),
    reason: nullable(Text, 'Why it failed, warned or could not check, redacted: not markup.'),
  },
  { description: 'What one location said last of a monitor.' },
)
export type LocationFinding = Static<typeof LocationFinding>

const detailFields = {
  push: nullable(PushReport, 'Of a push monitor: what its job reported; null for any other.'),
  locations: Type.Optional(
    Type.Array(LocationFinding, {
      description: 'What each of its locations said last; absent if the service itself is the only one.',
    }),
  ),
  last_error: nullable(Text, 'Why the last check failed, redacted: not markup.'),
  certificate_expires_at: nullable(Timestamp, 'When the certificate of the target expires.'),
  certificate_observed_at: nullable(
    Timestamp,
    'When a full TLS handshake last showed that certificate; checks in between resume its session.',
  ),
  thresholds: Type.Object(
    {
      unhealthy: field(Threshold, 'Failures in a row that make it unhealthy.'),
      healthy: field(Threshold, 'Successes in a row that make it healthy again.'),
    },
    { description: 'When it counts as unhealthy and as healthy again.' },
  ),
  recovery: Type.Object(
    {
      driver: nullable(Text, 'What carries it out.'),
      configured: field(Flag, 'There is one.'),
    },
    { description: 'Its recovery action.' },
  ),
  maintenance: Type.Object(
    {
      active: field(Flag, 'A window is open now.'),
      until: nullable(Timestamp, 'When it ends.'),
    },
    { description: 'Its maintenance windows.' },
  ),
  snoozed_until: nullable(Timestamp, 'Until then it is not checked and nobody is notified.'),
  verification: nullable(Verification, 'The count of healthy checks after a recovery action, while it runs.'),
  status_reason: nullable(Text, 'Why it has this status, in words.'),
  suppressed_by: nullable(Text, 'The identity of the monitor it depends on whose trouble keeps it quiet.'),
  stale: staleField,
}

export const MonitorDetail = Type.Object(
  { ...rowFields, ...detailFields },
  { description: 'A monitor with all that is known about it.' },
)
export const MainMonitorDetail = Type.Object(
  { ...mainRowFields, ...detailFields },
  { description: 'A monitor with all that is known about it, as main shows it: without monitor_id.' },
)

export const CheckSeen = Type.Object(
  {
    at: field(Timestamp, 'When its result came.'),
    outcome: field(oneOf(checkOutcomes), 'How it ended. no_data and own_fault say nothing about the target.'),
    latency_ms: nullable(Measure, 'How long it took; null if it says nothing about the target.'),
    reason: nullable(Text, 'Why it failed, or what it warns of, redacted: not markup.'),
  },
  { description: 'The result of one check.' },
)

export const NextMonitorDetail = Type.Object(
  {
    ...rowFields,
    ...detailFields,
    audience: field(Audience, 'Who is told about it, by color.'),
    incident_id: nullable(Text, 'Its open incident; null if none is open.'),
    last_checks: nullable(
      Type.Array(CheckSeen, { maxItems: v1Limits.lastChecks }),
      'Its last checks since something is the matter, the newest first; null for a quiet monitor, and where too many fail at once to keep them. In memory only: a restart forgets them.',
    ),
  },
  {
    description:
      'A monitor with all that is known about it, as next shows it: with who is told, its open incident, and its last checks while it fails.',
  },
)

export type CheckSeen = Static<typeof CheckSeen>
export type MonitorDetail = Static<typeof MonitorDetail>
export type MainMonitorDetail = Static<typeof MainMonitorDetail>
export type NextMonitorDetail = Static<typeof NextMonitorDetail>
