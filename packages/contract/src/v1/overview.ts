// v1/overview.ts: the fleet in numbers. Every status is always present; a number that cannot be computed is null.
import { type Static, Type } from 'typebox'
import { staleField } from './stale.ts'
import { Count, Flag, field, nullable, Percent, statuses, Timestamp } from './values.ts'

const fields = {
  generated: field(Timestamp, 'The time of the numbers.'),
  stale: staleField,
  total: field(Count, 'Configured monitors, also disabled ones.'),
  disabled: field(Count, 'Monitors that are not checked.'),
  by_status: field(
    Type.Object(Object.fromEntries(statuses.map((status) => [status, Count]))),
    'Monitors in each status; every status is present.',
  ),
  by_pulse_type: field(Type.Record(Type.String(), Count), 'Monitors of each kind of check.'),
  by_code: field(Type.Record(Type.String(), Count), 'Monitors with each pending notification color.'),
  incidents: field(Count, 'Open incidents.'),
  up_percent: nullable(Percent, 'Up and degraded monitors among those that are enabled and not unknown.'),
  healthy_sample_percent: nullable(Percent, 'Healthy checks among all checks. Not an SLA.'),
  index_capped: field(Flag, 'The fleet is too large for lists, which answer 503; main only.'),
}

export const Overview = Type.Object(fields, { description: 'The fleet in numbers.' })

/** Only next has snoozes, and says who is told. */
export const NextOverview = Type.Object(
  {
    ...fields,
    snoozed: field(Count, 'Snoozed monitors; they also count as disabled.'),
    tells_nobody: field(
      Count,
      'Enabled monitors whose red has no destination: nobody is told when they fail.',
    ),
  },
  {
    description: 'The fleet in numbers, as next shows it: with snoozed monitors and those that tell nobody.',
  },
)

export type Overview = Static<typeof Overview>
export type NextOverview = Static<typeof NextOverview>
