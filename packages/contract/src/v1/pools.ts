// v1/pools.ts: the worker pools: their size, the observations, and how the size follows from them.
import { type Static, Type } from 'typebox'
import {
  Count,
  eachPipeline,
  field,
  Measure,
  nullable,
  oneOf,
  sizingModels,
  sloConditions,
  Text,
  Timestamp,
} from './values.ts'

export const Pool = Type.Object(
  {
    min: field(Count, 'Fewest slots.'),
    max: field(Count, 'Most slots.'),
    capacity: field(Count, 'Slots now.'),
    busy: field(Count, 'Slots in which something runs.'),
    waiting: field(Count, 'Jobs that wait for a slot.'),
    target: field(Count, 'Slots that the capacity is on its way to.'),
    submitted: field(Count, 'Jobs that came.'),
    completed: field(Count, 'Jobs that ended.'),
    scaling_events: field(Count, 'How often the size changed.'),
    last_scale: nullable(Timestamp, 'When it last changed.'),
    service_time_ms: nullable(Measure, 'How long a job takes, on average.'),
    service_cv: nullable(Measure, 'Coefficient of variation of that time.'),
    service_samples: field(Count, 'Jobs that both are computed from.'),
    sizing_model: field(oneOf(sizingModels), 'What the recommendation comes from.'),
    recommended: field(Count, 'Slots that the model recommends, within the bounds.'),
    reason: field(Text, 'Why, in words.'),
    arrival_rate: nullable(Measure, 'Jobs that come per second.'),
    arrival_cv: nullable(Measure, 'Coefficient of variation of the time between them.'),
    target_ms: field(Measure, 'The latency that the size should meet.'),
    slo_condition: nullable(oneOf(sloConditions), 'The worst condition of the SLO view that concerns it.'),
  },
  { description: 'A pool of workers. A worker is a permit to run one job, not a thread.' },
)

export const Pools = Type.Object(
  {
    generated: field(Timestamp, 'The time of the figures.'),
    pools: eachPipeline(Pool, 'The pool of each pipeline.'),
  },
  { description: 'The worker pools now.' },
)

export type Pool = Static<typeof Pool>
export type Pools = Static<typeof Pools>
