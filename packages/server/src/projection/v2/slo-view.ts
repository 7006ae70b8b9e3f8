// projection/v2/slo-view.ts: how punctual checks were over the window, as v2 shows it.
import type { v2 } from '@pulseward/contract'
import type { Static } from 'typebox'
import { formatDuration } from '../../platform/duration.ts'
import { timestamp } from '../../platform/wire.ts'
import { WINDOW_MS } from '../../slo/bucket-grid.ts'
import type { DriverReport, Percentiles } from '../../slo/driver-report.ts'
import type { SloReport } from '../../slo/slo-window.ts'
import { knownFields } from './known-fields.ts'
import { measurement } from './measurement.ts'

export const sloWindow = formatDuration(WINDOW_MS)

export function sloView({ coverageComplete, reports }: SloReport, generatedMs: number): v2.SLOView {
  return {
    generatedAt: timestamp(generatedMs),
    window: sloWindow,
    coverageGap: !coverageComplete,
    reports: reports.map(reportView),
  }
}

function reportView(report: DriverReport): v2.SLOReport {
  const { driver, samples, expected, missed, overdue, pending, timeouts, condition } = report
  return {
    // Only checks have deadlines.
    pipeline: 'pulse',
    driver,
    samples,
    expected,
    missed,
    overdue,
    pending,
    timeouts,
    queueDelay: percentiles(report.schedulingQueue),
    execution: percentiles(report.execution),
    totalLatency: percentiles(report.scheduledResult),
    queueThresholdPassed: report.queueMet,
    totalThresholdPassed: report.resultMet,
    attainment: measurement(report.resultAttainment, 'no check was expected in the window'),
    condition,
  }
}

function percentiles({ p50Ms, p95Ms, p99Ms }: Percentiles): Static<typeof v2.Percentiles> {
  return { available: p50Ms !== null, ...knownFields({ p50Ms, p95Ms, p99Ms }) }
}
