// v1/event-stream.ts: what /api/v1/events sends. Events only trigger an earlier refresh: a client that misses some loses
// nothing but time. A stream can be resumed by event id; if that is not possible, it begins with reset.
import { type Static, Type } from 'typebox'
import { MonitorId, MonitorRow } from './monitor-row.ts'
import { Overview } from './overview.ts'
import { staleField } from './stale.ts'
import { Count, field, MonitorNumber, oneOf, Text, Timestamp } from './values.ts'

export const noticedStates = ['open', 'closed'] as const
export const resetReasons = ['slow_client', 'cannot_resume'] as const

export const IncidentNotice = Type.Object(
  {
    id: field(MonitorNumber, 'The number of the monitor.'),
    monitor_id: MonitorId,
    incident_id: field(Text, 'The identity of the incident.'),
    state: field(oneOf(noticedStates), 'What it is now.'),
    at: field(Timestamp, 'Since when.'),
  },
  { description: 'An incident was opened, changed or closed.' },
)

export const PositionNotice = Type.Object(
  { committed_position: field(Count, 'How far the log has come.') },
  { description: 'Something was committed.' },
)

export const FleetNotice = Type.Object(
  {
    changed: field(Count, 'How often a monitor was created or changed.'),
    deleted: field(Count, 'How often a monitor was deleted.'),
  },
  { description: 'Monitors were created, changed or deleted since the last such event; next only.' },
)

export const SnapshotNotice = Type.Object(
  { generated: field(Timestamp, 'The time of the snapshot.'), stale: staleField },
  { description: 'There is a new snapshot, or none has come for too long; main only.' },
)

export const ResetNotice = Type.Object(
  {
    reason: field(
      oneOf(resetReasons),
      'Too much waited for this client, or its Last-Event-ID is too old or not known.',
    ),
  },
  { description: 'Events were left out: read everything again.' },
)

export const BeatNotice = Type.Object(
  { every_ms: field(Count, 'When the next one comes, in milliseconds.') },
  {
    description:
      'The service is alive. If beats stay away, nothing is known of the fleet any more. They have no id.',
  },
)

const keepingState = ['candidate', 'next'] as const
const everywhere = ['main', ...keepingState] as const

/** Events by name: the JSON in their data, and which editions send them. */
export const streamEvents = {
  overview: { data: Overview, editions: keepingState },
  monitor: { data: MonitorRow, editions: keepingState },
  incident: { data: IncidentNotice, editions: keepingState },
  position: { data: PositionNotice, editions: keepingState },
  fleet: { data: FleetNotice, editions: ['next'] },
  snapshot: { data: SnapshotNotice, editions: ['main'] },
  reset: { data: ResetNotice, editions: everywhere },
  beat: { data: BeatNotice, editions: everywhere },
} as const

export type StreamEventName = keyof typeof streamEvents
export type StreamEventData<Name extends StreamEventName> = Static<(typeof streamEvents)[Name]['data']>
