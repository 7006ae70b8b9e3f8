// v1/queues.ts: the queues of the three pipelines and the destinations of notifications. Counters start with the process;
// rates, waits and variation cover the last window_seconds, and are null while there is nothing to measure.
import { type Static, Type } from 'typebox'
import {
  Count,
  destinationStates,
  eachPipeline,
  field,
  Measure,
  nullable,
  oneOf,
  Text,
  Timestamp,
} from './values.ts'

export const Queue = Type.Object(
  {
    depth: field(Count, 'Entries that wait now.'),
    capacity: field(Count, 'Entries that it can hold.'),
    enqueued: field(Count, 'Entries that came.'),
    dequeued: field(Count, 'Entries that were taken.'),
    dropped: field(Count, 'Entries that found no room.'),
    enqueue_rate: nullable(Measure, 'Entries that come per second.'),
    dequeue_rate: nullable(Measure, 'Entries that are taken per second.'),
    avg_wait_ms: nullable(Measure, 'How long entries waited, on average.'),
    max_wait_ms: nullable(Measure, 'How long the slowest waited.'),
    oldest_ms: nullable(Measure, 'How long the oldest entry has waited; null when nothing waits.'),
    arrival_cv: nullable(Measure, 'Coefficient of variation of the time between arrivals.'),
    arrival_samples: field(Count, 'Times between arrivals that it is computed from.'),
    last_enqueue: nullable(Timestamp, 'When the last entry came.'),
    last_dequeue: nullable(Timestamp, 'When the last entry was taken.'),
    window_seconds: field(Measure, 'What rates, waits and variation are computed over.'),
  },
  { description: 'A queue and how it moves.' },
)

export const Destination = Type.Object(
  {
    name: field(Text, 'The endpoint, as configured.'),
    driver: field(Text, 'What delivers to it.'),
    state: field(
      oneOf(destinationStates),
      'limited: it named a time to wait. ailing: it took none of the last three. dead: it said that it is gone; until its configuration changes.',
    ),
    since: nullable(Timestamp, 'Since when it is not ok.'),
    reason: nullable(Text, 'Why, in words and without secrets.'),
    until: nullable(Timestamp, 'When a limited or ailing one is tried again.'),
    queued: field(Count, 'Notifications that wait for it.'),
  },
  { description: 'Where notifications go.' },
)

export const Queues = Type.Object(
  {
    generated: field(Timestamp, 'The time of the figures.'),
    queues: eachPipeline(Queue, 'The queue of each pipeline.'),
    destinations: Type.Array(Destination, { description: 'The destinations of notifications.' }),
  },
  { description: 'The queues now.' },
)

export type Queue = Static<typeof Queue>
export type Destination = Static<typeof Destination>
export type Queues = Static<typeof Queues>
