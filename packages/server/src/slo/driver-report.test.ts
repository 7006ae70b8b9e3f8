import { describe, expect, it } from 'vitest'
import { conditionOf, driverReport } from './driver-report.ts'
import type { DriverTotals } from './driver-window.ts'
import { BINS } from './latency-histogram.ts'

type Seen = Parameters<typeof conditionOf>[0]

const fine: Seen = {
  samples: 1_000,
  queueAttainment: 0.99,
  resultAttainment: 0.99,
  executionExceedsTarget: false,
  coverageComplete: true,
}

describe('conditionOf', () => {
  it.each<[string, Partial<Seen>]>([
    ['healthy', {}],
    ['healthy', { executionExceedsTarget: true }],
    ['coverage_gap', { coverageComplete: false }],
    ['result_delay', { resultAttainment: 0.9899 }],
    ['result_delay', { resultAttainment: 0, coverageComplete: false }],
    ['downstream_limited', { resultAttainment: 0.9899, executionExceedsTarget: true }],
    ['queue_delay', { queueAttainment: 0.9899 }],
    ['queue_delay', { queueAttainment: 0, resultAttainment: 0, executionExceedsTarget: true }],
    ['insufficient_observations', { samples: 999 }],
    ['insufficient_observations', { samples: 999, queueAttainment: 0, coverageComplete: false }],
    ['insufficient_observations', { queueAttainment: null, resultAttainment: null }],
  ])('is %s for %o', (condition, difference) => {
    expect(conditionOf({ ...fine, ...difference })).toBe(condition)
  })
})

const totals: DriverTotals = {
  samples: 0,
  missed: 0,
  pending: 0,
  overdue: 0,
  timeouts: 0,
  leftOut: 0,
  queueMet: 0,
  resultMet: 0,
  slowExecutions: 0,
  queueHistogram: new Float64Array(BINS),
  executionHistogram: new Float64Array(BINS),
  resultHistogram: new Float64Array(BINS),
}

describe('driverReport', () => {
  it('measures attainment against what was expected, without what was left out', () => {
    const report = driverReport(
      'http',
      { ...totals, samples: 7, missed: 2, overdue: 3, pending: 50, leftOut: 2, queueMet: 6, resultMet: 4 },
      true,
    )
    expect(report).toMatchObject({ expected: 12, queueAttainment: 0.6, resultAttainment: 0.4 })
  })

  it('has no attainment and no percentiles when nothing was expected', () => {
    const none = { p50Ms: null, p95Ms: null, p99Ms: null }
    expect(driverReport('http', { ...totals, pending: 1 }, true)).toMatchObject({
      expected: 0,
      pending: 1,
      queueAttainment: null,
      resultAttainment: null,
      schedulingQueue: none,
      execution: none,
      scheduledResult: none,
      condition: 'insufficient_observations',
    })
  })

  it('blames the target only when over one execution of a hundred is itself too long', () => {
    const filled = Float64Array.from({ length: BINS }, (_, bin) => (bin === 0 ? 2_000 : 0))
    const histograms = { queueHistogram: filled, executionHistogram: filled, resultHistogram: filled }
    const late = { ...totals, ...histograms, samples: 2_000, queueMet: 2_000, resultMet: 1_900 }
    expect(driverReport('http', { ...late, slowExecutions: 20 }, true).condition).toBe('result_delay')
    expect(driverReport('http', { ...late, slowExecutions: 21 }, true).condition).toBe('downstream_limited')
  })
})
