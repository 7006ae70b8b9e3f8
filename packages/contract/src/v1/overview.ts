// v1/overview.ts: the fleet in numbers. Every status is always present; what cannot be computed is null.
import { type Static, Type } from 'typebox'
import { Count, nullable, Percent, statuses, Timestamp } from './values.ts'

export const Overview = Type.Object({
  generated: Timestamp,
  total: Count,
  disabled: Count,
  by_status: Type.Object(Object.fromEntries(statuses.map((status) => [status, Count]))),
  by_pulse_type: Type.Record(Type.String(), Count),
  by_code: Type.Record(Type.String(), Count),
  incidents: Count,
  up_percent: nullable(Percent),
  healthy_sample_percent: nullable(Percent),
  index_capped: Type.Boolean(),
})

export type Overview = Static<typeof Overview>
