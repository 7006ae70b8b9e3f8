// v1/systems.ts: the stages of the controller: how often each ran, how much it handled, how long it took.
import { type Static, Type } from 'typebox'
import { Location } from './locations.ts'
import { ServiceProcess } from './processes.ts'
import { Count, field, Measure, nullable, oneOf, systemNames, Timestamp } from './values.ts'

const figures = {
  updates: field(Count, 'Runs.'),
  entities: field(Count, 'Monitors, results, actions or requests that were handled.'),
  batches: field(Count, 'Runs that had something to handle.'),
  last_ms: nullable(Measure, 'How long the last run took.'),
  avg_ms: nullable(Measure, 'How long a run takes, on average.'),
  max_ms: nullable(Measure, 'How long the slowest took.'),
  last_progress: nullable(Timestamp, 'When the last run ended.'),
}

export const System = Type.Object(
  { name: field(oneOf(systemNames), 'The stage.'), ...figures },
  { description: 'A stage of the controller.' },
)

export const SystemAggregate = Type.Object(
  {
    ...figures,
    entities_per_second: nullable(Measure, 'Handled per second.'),
    updates_per_second: nullable(Measure, 'Runs per second.'),
    event_loop_lag_p99_ms: nullable(Measure, 'How late the event loop wakes up, 99th percentile.'),
  },
  { description: 'All stages together.' },
)

export const Systems = Type.Object(
  {
    generated: field(Timestamp, 'The time of the figures.'),
    systems: Type.Array(System, { description: 'The stages.' }),
    aggregate: field(SystemAggregate, 'The same figures over all stages.'),
    processes: Type.Optional(
      Type.Array(ServiceProcess, {
        description: 'The processes of the service, the active one first. Only with a store in PostgreSQL.',
      }),
    ),
    locations: Type.Optional(
      Type.Array(Location, {
        description: 'The other places at which monitors are checked. Only if there are any.',
      }),
    ),
  },
  { description: 'The stages of the controller.' },
)

export type Systems = Static<typeof Systems>
