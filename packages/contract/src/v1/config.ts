// v1/config.ts: the settings that may be shown. Paths, addresses of stores and secrets are never among them.
import { type Static, Type } from 'typebox'
import { editions } from '../operation.ts'
import {
  Count,
  eachPipeline,
  Flag,
  field,
  Measure,
  nullable,
  oneOf,
  storeModes,
  Text,
  Timestamp,
} from './values.ts'

export const Config = Type.Object(
  {
    edition: field(oneOf(editions), 'The edition that runs.'),
    version: field(Text, 'The version of Pulseward.'),
    listen: field(Text, 'Address and port of the listener.'),
    authentication: field(Flag, 'A token is needed.'),
    store: Type.Object(
      { mode: field(oneOf(storeModes), 'Where state is kept.') },
      { description: 'The store.' },
    ),
    queue_capacity: eachPipeline(Count, 'Entries that each queue can hold.'),
    batch_size: field(Count, 'Most checks that are handed out at once.'),
    snapshot_interval_ms: field(Measure, 'How often main copies the fleet.'),
    alert_cooldown_ms: field(
      Measure,
      'The pause between two notifications of one color, monitor and destination.',
    ),
    recovery_bypass: field(Flag, 'Green does not wait for the pause.'),
    history_retention_days: nullable(Count, 'How long events are kept; null when they are not.'),
    slo: Type.Object(
      {
        window_seconds: field(Measure, 'The length of the window of the SLO view.'),
        queue_target_ms: field(Measure, 'A check should start this soon after its time.'),
        result_target_ms: field(Measure, 'A check should have its result this soon after its time.'),
      },
      { description: 'The targets of the SLO view.' },
    ),
    index_cap: nullable(Count, 'The largest fleet that lists are served for; null without a bound.'),
    started_at: field(Timestamp, 'When the process started.'),
  },
  { description: 'Public settings.' },
)

export type Config = Static<typeof Config>
