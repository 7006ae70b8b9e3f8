// v2/wire/slo.ts: how punctual the service itself was. It says nothing about the targets.
import { type Static, Type } from 'typebox'
import { pipelines, sloConditions } from '../../v1/values.ts'
import {
  count,
  duration,
  flag,
  listing,
  Measurement,
  oneOf,
  Percentiles,
  text,
  timestamp,
  wireType,
} from './wire-type.ts'

export const SLOReport = wireType('SLOReport', 'How punctual the checks of one driver were.', {
  pipeline: oneOf(pipelines, 'Its pipeline.'),
  driver: text('The driver.'),
  samples: count('Checks that ended in the window.'),
  expected: Type.Optional(count('Checks that were due in the window.')),
  missed: Type.Optional(count('Checks that never started.')),
  overdue: Type.Optional(count('Checks that should have ended and have not.')),
  pending: Type.Optional(count('Checks in flight.')),
  timeouts: Type.Optional(count('Checks that took too long.')),
  queueDelay: Type.Optional(Percentiles),
  execution: Type.Optional(Percentiles),
  totalLatency: Type.Optional(Percentiles),
  queueThresholdPassed: Type.Optional(count('Samples within the target for the queue.')),
  totalThresholdPassed: Type.Optional(count('Samples within the target for the result.')),
  attainment: Type.Optional(Measurement),
  condition: Type.Optional(oneOf(sloConditions, 'Healthy, or what limits it; the words of v1.')),
})

export const SLOView = wireType('SLOView', 'How punctual checks were over a window.', {
  generatedAt: timestamp('When this was read.'),
  window: duration('The length of the window.'),
  coverageGap: flag('Whether the service was not watching during the whole window.'),
  reports: listing(SLOReport, 'One for each driver.'),
})

export type SLOReport = Static<typeof SLOReport>
export type SLOView = Static<typeof SLOView>
