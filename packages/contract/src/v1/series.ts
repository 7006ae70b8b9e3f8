// v1/series.ts: the recent past of queues and pools: bounded series in memory, one sample per second, oldest first. A
// restart forgets them.
import { type Static, type TSchema, Type } from 'typebox'
import { v1Limits } from './limits.ts'
import { Count, eachPipeline, field, Measure, nullable, Timestamp } from './values.ts'

export const QueueSample = Type.Object(
  {
    at: field(Timestamp, 'When it was taken.'),
    depth: field(Count, 'Entries that waited.'),
    enqueued: field(Count, 'Entries that had come.'),
    dequeued: field(Count, 'Entries that had been taken.'),
    dropped: field(Count, 'Entries that had found no room.'),
    enqueue_rate: nullable(Measure, 'Entries that came per second.'),
    dequeue_rate: nullable(Measure, 'Entries that were taken per second.'),
    avg_wait_ms: nullable(Measure, 'How long entries waited, on average.'),
    max_wait_ms: nullable(Measure, 'How long the slowest waited.'),
    oldest_ms: nullable(Measure, 'How long the oldest entry had waited.'),
  },
  { description: 'A queue at one moment.' },
)

export const PoolSample = Type.Object(
  {
    at: field(Timestamp, 'When it was taken.'),
    capacity: field(Count, 'Slots.'),
    busy: field(Count, 'Slots in which something ran.'),
    waiting: field(Count, 'Jobs that waited for a slot.'),
    target: field(Count, 'Slots that the capacity was on its way to.'),
    recommended: field(Count, 'Slots that the model recommended.'),
    submitted: field(Count, 'Jobs that had come.'),
    completed: field(Count, 'Jobs that had ended.'),
    service_time_ms: nullable(Measure, 'How long a job took, on average.'),
    arrival_rate: nullable(Measure, 'Jobs that came per second.'),
  },
  { description: 'A pool at one moment.' },
)

function seriesOf<Sample extends TSchema>(sample: Sample, description: string) {
  const samples = Type.Array(sample, { maxItems: v1Limits.seriesSamples })
  return Type.Object(
    {
      generated: field(Timestamp, 'When it was read.'),
      interval_seconds: field(Measure, 'Time between two samples.'),
      capacity: field(Count, 'Most samples of a series; the oldest make room.'),
      series: eachPipeline(samples, 'The samples of each pipeline, oldest first.'),
    },
    { description },
  )
}

export const QueueSeries = seriesOf(QueueSample, 'The recent past of the queues.')
export const PoolSeries = seriesOf(PoolSample, 'The recent past of the pools.')

export type QueueSeries = Static<typeof QueueSeries>
export type PoolSeries = Static<typeof PoolSeries>
