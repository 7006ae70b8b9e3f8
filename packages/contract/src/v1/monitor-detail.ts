// v1/monitor-detail.ts: one monitor with all that is known about it.
import { type Static, Type } from 'typebox'
import { Audience } from './audience.ts'
import { mainRowFields, rowFields } from './monitor-row.ts'
import { staleField } from './stale.ts'
import { Count, Flag, field, nullable, Text, Timestamp } from './values.ts'

const Threshold = Type.Integer({ minimum: 1 })

export const Verification = Type.Object(
  {
    healthy: field(Count, 'Healthy checks so far.'),
    needed: field(Threshold, 'How many it takes.'),
  },
  { description: 'A recovery action was accepted; healthy checks are being counted.' },
)

const detailFields = {
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

export const NextMonitorDetail = Type.Object(
  { ...rowFields, ...detailFields, audience: field(Audience, 'Who is told about it, by color.') },
  { description: 'A monitor with all that is known about it, as next shows it: with who is told.' },
)

export type MonitorDetail = Static<typeof MonitorDetail>
export type MainMonitorDetail = Static<typeof MainMonitorDetail>
export type NextMonitorDetail = Static<typeof NextMonitorDetail>
