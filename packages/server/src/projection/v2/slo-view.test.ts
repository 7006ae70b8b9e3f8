import { expect, it } from 'vitest'
import { driverReport } from '../../slo/driver-report.ts'
import { sloView } from './slo-view.ts'

const nothing = new Float64Array(64)
const totals = {
  samples: 0,
  missed: 0,
  pending: 1,
  overdue: 0,
  timeouts: 0,
  leftOut: 0,
  queueMet: 0,
  resultMet: 0,
  slowExecutions: 0,
  queueHistogram: nothing,
  executionHistogram: nothing,
  resultHistogram: nothing,
}

it('never makes up an attainment or a percentile where nothing was checked', () => {
  const report = {
    windowSeconds: 300,
    queueTargetMs: 250,
    resultTargetMs: 5_000,
    coverageComplete: false,
    gapStart: 0,
    gapEnd: 1,
    recoveryCoverage: {
      eligible: 0,
      noneConfigured: 0,
      admitted: 0,
      succeeded: 0,
      failed: 0,
      unknown: 0,
      held: 0,
    },
    reports: [driverReport('http', totals, false)],
  }
  expect(sloView(report, 0)).toMatchObject({
    generatedAt: '1970-01-01T00:00:00.000Z',
    window: '5m',
    coverageGap: true,
    reports: [
      {
        driver: 'http',
        pending: 1,
        attainment: { available: false, reason: 'no check was expected in the window' },
        queueDelay: { available: false },
        execution: { available: false },
        totalLatency: { available: false },
      },
    ],
  })
})
