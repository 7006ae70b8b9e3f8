// v1/slo.ts: how punctual checks were over the last five minutes, per kind of check. Threshold counts are
// exact; percentiles are upper bounds.
import { type Static, Type } from 'typebox'
import {
  Count,
  Flag,
  field,
  Measure,
  nullable,
  oneOf,
  Share,
  sloConditions,
  Text,
  Timestamp,
} from './values.ts'

export const Percentiles = Type.Object(
  {
    p50_ms: nullable(Measure, 'The median.'),
    p95_ms: nullable(Measure, 'The 95th percentile.'),
    p99_ms: nullable(Measure, 'The 99th percentile.'),
  },
  { description: 'Upper bounds over all samples; null without samples.' },
)

export const SloReport = Type.Object(
  {
    driver: field(Text, 'The kind of check.'),
    samples: field(Count, 'Checks that ended.'),
    expected: field(Count, 'Samples, missed and overdue.'),
    missed: field(Count, 'Checks that were not started in their slot.'),
    pending: field(Count, 'Unfinished, and still within the result target.'),
    overdue: field(Count, 'Unfinished beyond the result target.'),
    timeouts: field(Count, 'Samples that ran out of time; they never meet the result target.'),
    left_out: field(Count, 'Samples that say nothing, which neither meet nor miss a target.'),
    queue_met: field(Count, 'Checks that started within the queue target.'),
    result_met: field(Count, 'Checks that had their result within the result target.'),
    scheduling_queue: field(Percentiles, 'From the time a check was due to its start.'),
    execution: field(Percentiles, 'From its start to its result.'),
    scheduled_result: field(Percentiles, 'From the time it was due to its result.'),
    queue_attainment: nullable(Share, 'Share of the expected that met the queue target.'),
    result_attainment: nullable(Share, 'Share of the expected that met the result target.'),
    condition: field(oneOf(sloConditions), 'What limits it, if anything.'),
  },
  { description: 'How the checks of one kind kept to their times.' },
)

export const RecoveryCoverage = Type.Object(
  {
    eligible: field(Count, 'With a recovery configured.'),
    none_configured: field(Count, 'Without one.'),
    admitted: field(Count, 'Whose recovery action was queued.'),
    succeeded: field(Count, 'Whose recovery action succeeded.'),
    failed: field(Count, 'Whose recovery action failed.'),
    unknown: field(Count, 'Whose recovery action was lost.'),
    held: field(Count, 'Whose recovery action was held back.'),
  },
  { description: 'Episodes that reached the unhealthy threshold in the window.' },
)

export const Slo = Type.Object(
  {
    generated: field(Timestamp, 'The time of the figures.'),
    window_seconds: field(Measure, 'The length of the window.'),
    queue_target_ms: field(Measure, 'A check should start this soon after its time.'),
    result_target_ms: field(Measure, 'A check should have its result this soon after its time.'),
    coverage_complete: field(Flag, 'The service watched during the whole window.'),
    gap_start: nullable(Timestamp, 'When the gap in watching began.'),
    gap_end: nullable(Timestamp, 'When the gap ended; null also while it lasts.'),
    recovery_coverage: field(RecoveryCoverage, 'What became of the episodes that needed a recovery.'),
    reports: Type.Array(SloReport, { description: 'One for each kind of check that has anything to show.' }),
  },
  { description: 'How well checks kept to their times.' },
)

export type SloReport = Static<typeof SloReport>
export type Slo = Static<typeof Slo>
