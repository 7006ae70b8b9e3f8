// slo/driver-report.ts: the report about one driver's checks, computed from its totals. The definitions:
//
//   expected = samples + missed + overdue; a pending check is not expected yet.
//   attainment = met ÷ (expected − left out). A left-out sample (no_data, own fault) is in neither number, for
//   the queue as for the result. Null if nothing remains. Missed checks are never met; a timeout never meets the
//   result target, a failure in time does; an overdue check meets the queue target if it started in time.
//   Percentiles are upper bounds over all samples, including those left out. Threshold counts are exact.
import type { DriverTotals } from './driver-window.ts'
import { percentileMs, rankOf } from './latency-histogram.ts'

const LEAST_SAMPLES = 1_000
const LEAST_ATTAINMENT = 0.99

export type SloCondition =
  | 'insufficient_observations'
  | 'healthy'
  | 'queue_delay'
  | 'result_delay'
  | 'downstream_limited'
  | 'coverage_gap'

/** Null if there were no samples. */
export interface Percentiles {
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
}

type ReportedTotals = Pick<
  DriverTotals,
  'samples' | 'missed' | 'pending' | 'overdue' | 'timeouts' | 'leftOut' | 'queueMet' | 'resultMet'
>

export interface DriverReport extends ReportedTotals {
  readonly driver: string
  readonly expected: number
  readonly schedulingQueue: Percentiles
  readonly execution: Percentiles
  readonly scheduledResult: Percentiles
  readonly queueAttainment: number | null
  readonly resultAttainment: number | null
  readonly condition: SloCondition
}

export function driverReport(driver: string, totals: DriverTotals, coverageComplete: boolean): DriverReport {
  const { samples, missed, pending, overdue, timeouts, leftOut, queueMet, resultMet } = totals
  const expected = samples + missed + overdue
  const judged = expected - leftOut
  const queueAttainment = judged === 0 ? null : queueMet / judged
  const resultAttainment = judged === 0 ? null : resultMet / judged
  const executionExceedsTarget = samples - totals.slowExecutions < rankOf(99, samples)
  return {
    driver,
    samples,
    expected,
    missed,
    pending,
    overdue,
    timeouts,
    leftOut,
    queueMet,
    resultMet,
    schedulingQueue: percentiles(totals.queueHistogram, samples),
    execution: percentiles(totals.executionHistogram, samples),
    scheduledResult: percentiles(totals.resultHistogram, samples),
    queueAttainment,
    resultAttainment,
    condition: conditionOf({
      samples,
      queueAttainment,
      resultAttainment,
      executionExceedsTarget,
      coverageComplete,
    }),
  }
}

/**
 * The first condition that applies. Without an attainment there is nothing to judge, however many samples were left out.
 */
export function conditionOf(seen: {
  readonly samples: number
  readonly queueAttainment: number | null
  readonly resultAttainment: number | null
  /** The 99th percentile of the execution alone is above the result target. */
  readonly executionExceedsTarget: boolean
  readonly coverageComplete: boolean
}): SloCondition {
  const { samples, queueAttainment, resultAttainment } = seen
  if (samples < LEAST_SAMPLES || queueAttainment === null || resultAttainment === null)
    return 'insufficient_observations'
  if (queueAttainment < LEAST_ATTAINMENT) return 'queue_delay'
  if (resultAttainment < LEAST_ATTAINMENT)
    return seen.executionExceedsTarget ? 'downstream_limited' : 'result_delay'
  return seen.coverageComplete ? 'healthy' : 'coverage_gap'
}

function percentiles(histogram: Float64Array, samples: number): Percentiles {
  return {
    p50Ms: percentileMs(histogram, 50, samples),
    p95Ms: percentileMs(histogram, 95, samples),
    p99Ms: percentileMs(histogram, 99, samples),
  }
}
