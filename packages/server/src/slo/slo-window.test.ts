import { describe, expect, it } from 'vitest'
import type { OutcomeStatus } from '../checks/driver.ts'
import { SloWindow } from './slo-window.ts'

const HTTP = 0
const TCP = 1
const WALL_MS = 1_700_000_000_000

const newWindow = () =>
  new SloWindow({ drivers: ['http', 'tcp'], targets: { queueTargetMs: 250, resultTargetMs: 5_000 } }, 0)

function check(window: SloWindow, at: number, queueMs: number, executionMs: number, outcome: OutcomeStatus) {
  window.expected(HTTP, at)
  window.started(HTTP, at, at + queueMs)
  window.finished(HTTP, at, at + queueMs, at + queueMs + executionMs, outcome)
}

const reportAt = (window: SloWindow, nowMs: number) => window.report(nowMs, WALL_MS + nowMs)
const httpAt = (window: SloWindow, nowMs: number) => reportAt(window, nowMs).reports[0]

describe('a finished check', () => {
  it.each<[string, OutcomeStatus, number, number, number, number]>([
    ['a success exactly on both targets meets them', 'success', 250, 4_750, 1, 1],
    ['a start after the queue target misses it', 'success', 250.001, 1, 0, 1],
    ['a result after the result target misses it', 'success', 250, 4_750.001, 1, 0],
    ['a failure in time is a result in time', 'failure', 1, 1, 1, 1],
    ['a timeout is never a result in time', 'timeout', 1, 1_000, 1, 0],
  ])('%s', (_what, outcome, queueMs, executionMs, queueAttainment, resultAttainment) => {
    const window = newWindow()
    check(window, 1_000, queueMs, executionMs, outcome)
    expect(httpAt(window, 10_000)).toMatchObject({
      samples: 1,
      expected: 1,
      timeouts: outcome === 'timeout' ? 1 : 0,
      leftOut: 0,
      queueAttainment,
      resultAttainment,
    })
  })

  it('that says nothing is a sample, but no part of attainment', () => {
    const window = newWindow()
    check(window, 1_000, 900, 9_000, 'no_data')
    expect(httpAt(window, 20_000)).toMatchObject({ samples: 1, expected: 1, queueAttainment: null })
    check(window, 1_000, 1, 1, 'success')
    expect(httpAt(window, 20_000)).toMatchObject({
      samples: 2,
      expected: 2,
      leftOut: 1,
      queueAttainment: 1,
      resultAttainment: 1,
    })
  })

  it('shows waiting, execution and both together as upper bounds', () => {
    const window = newWindow()
    check(window, 1_000, 100, 1_000, 'success')
    const report = httpAt(window, 10_000)!
    expect(report.schedulingQueue.p50Ms).toBe(104)
    expect(report.execution.p95Ms).toBe(1_024)
    expect(report.scheduledResult.p99Ms).toBe(1_152)
  })

  it('leaves with the bucket of its scheduled time', () => {
    const window = newWindow()
    check(window, 4_999, 1, 1, 'success')
    check(window, 5_000, 1, 1, 'success')
    expect(httpAt(window, 299_999)?.samples).toBe(2)
    expect(httpAt(window, 300_000)?.samples).toBe(1)
    expect(httpAt(window, 305_000)).toBeUndefined()
  })

  it('that comes after its bucket has left is dropped', () => {
    const window = newWindow()
    window.expected(HTTP, 1_000)
    window.started(HTTP, 1_000, 1_001)
    window.expected(HTTP, 301_000)
    window.finished(HTTP, 1_000, 1_001, 301_500, 'timeout')
    expect(httpAt(window, 302_000)).toMatchObject({ samples: 0, timeouts: 0, pending: 1, overdue: 0 })
  })
})

describe('an unfinished check', () => {
  it('is pending until its bucket ended more than the result target ago, then overdue, then a sample', () => {
    const window = newWindow()
    window.expected(HTTP, 1_000)
    expect(httpAt(window, 10_000)).toMatchObject({ pending: 1, overdue: 0, expected: 0 })
    expect(httpAt(window, 10_001)).toMatchObject({ pending: 0, overdue: 1, expected: 1, resultAttainment: 0 })
    window.started(HTTP, 1_000, 11_000)
    window.finished(HTTP, 1_000, 11_000, 11_500, 'success')
    expect(httpAt(window, 12_000)).toMatchObject({ samples: 1, pending: 0, overdue: 0, expected: 1 })
  })

  it('that is overdue but started in time does not speak against the queue', () => {
    const window = newWindow()
    for (const scheduledMs of [1_000, 2_000]) window.expected(HTTP, scheduledMs)
    window.started(HTTP, 1_000, 1_250)
    window.started(HTTP, 2_000, 2_251)
    expect(httpAt(window, 15_000)).toMatchObject({ overdue: 2, queueAttainment: 0.5, resultAttainment: 0 })
  })

  it.each([
    ['waiting', null],
    ['started in time', 1_001],
    ['started late', 9_000],
  ])('that is abandoned was never expected: %s', (_state, startedMs) => {
    const window = newWindow()
    window.expected(HTTP, 1_000)
    if (startedMs !== null) window.started(HTTP, 1_000, startedMs)
    window.abandoned(HTTP, 1_000, startedMs)
    expect(reportAt(window, 20_000).reports).toEqual([])
    check(window, 1_000, 300, 1, 'success')
    expect(httpAt(window, 20_000)).toMatchObject({ expected: 1, overdue: 0, queueAttainment: 0 })
  })

  it('does not come into being when a check ends that was never expected', () => {
    const window = newWindow()
    window.abandoned(HTTP, 1_000, 1_001)
    window.finished(HTTP, 1_000, 1_001, 1_002, 'success')
    expect(httpAt(window, 20_000)).toMatchObject({ samples: 1, pending: 0, overdue: 0, expected: 1 })
  })
})

describe('missed buckets', () => {
  it('are expected and never met', () => {
    const window = newWindow()
    check(window, 1_000, 1, 1, 'success')
    window.missed(HTTP, 2_000, 3, 1_000)
    expect(httpAt(window, 5_000)).toMatchObject({ missed: 3, expected: 4, queueAttainment: 0.25 })
  })

  it('leave one by one, each at its own time', () => {
    const window = newWindow()
    window.missed(HTTP, 0, 61, 5_000)
    const missedAt = (nowMs: number) => httpAt(window, nowMs)?.missed
    expect([300_000, 304_999, 305_000, 599_999].map(missedAt)).toEqual([60, 60, 59, 1])
    expect(missedAt(600_000)).toBeUndefined()
  })

  it('of a stall of weeks count as far as they lie in the window, at once', () => {
    const window = newWindow()
    const weeksMs = 30 * 86_400_000
    window.missed(HTTP, 0, weeksMs / 1_000, 1_000)
    expect(httpAt(window, weeksMs - 1)).toMatchObject({ missed: 300 })
  })

  it('of monitors with an interval longer than the window count once', () => {
    const window = newWindow()
    window.missed(HTTP, 0, 3, 3_600_000)
    expect(httpAt(window, 7_200_000)).toMatchObject({ missed: 1 })
  })

  it('are not counted while a gap is open', () => {
    const window = newWindow()
    window.beginGap(1_000)
    window.missed(HTTP, 2_000, 1, 60_000)
    window.endGap(3_000)
    window.missed(HTTP, 4_000, 1, 60_000)
    expect(httpAt(window, 5_000)).toMatchObject({ missed: 1 })
  })
})

describe('the report', () => {
  it('is empty and complete before anything happened', () => {
    expect(reportAt(newWindow(), 0)).toEqual({
      windowSeconds: 300,
      queueTargetMs: 250,
      resultTargetMs: 5_000,
      coverageComplete: true,
      gapStart: null,
      gapEnd: null,
      recoveryCoverage: {
        eligible: 0,
        noneConfigured: 0,
        admitted: 0,
        succeeded: 0,
        failed: 0,
        unknown: 0,
        held: 0,
      },
      reports: [],
    })
  })

  it('of a service that begins is complete only after it has watched a whole window', () => {
    const targets = { queueTargetMs: 250, resultTargetMs: 5_000 }
    const window = SloWindow.begin({ drivers: ['http'], targets }, 0)
    for (let sample = 0; sample < 1_000; sample++) check(window, 298_000, 1, 1, 'success')
    const gap = { coverageComplete: false, gapStart: WALL_MS - 300_000, gapEnd: WALL_MS }
    expect(reportAt(window, 3_000)).toMatchObject(gap)
    expect(reportAt(window, 299_999)).toMatchObject(gap)
    expect(httpAt(window, 299_999)?.condition).toBe('coverage_gap')
    expect(reportAt(window, 300_000)).toMatchObject({ coverageComplete: true, gapStart: null, gapEnd: null })
    expect(httpAt(window, 300_000)?.condition).toBe('healthy')
  })

  it('keeps drivers apart, in the order of their numbers', () => {
    const window = newWindow()
    window.missed(TCP, 1_000, 2, 1_000)
    window.missed(HTTP, 1_000, 1, 1_000)
    const { reports } = reportAt(window, 5_000)
    expect(reports.map(({ driver, missed }) => [driver, missed])).toEqual([
      ['http', 1],
      ['tcp', 2],
    ])
  })

  it('refuses a driver that has no name', () => {
    expect(() => newWindow().expected(2, 0)).toThrow(RangeError)
  })

  it('shows a gap in wall time until it has left the window, and judges by it last', () => {
    const window = newWindow()
    for (let sample = 0; sample < 1_000; sample++) check(window, 12_000, 1, 1, 'success')
    expect(httpAt(window, 20_000)?.condition).toBe('healthy')
    window.beginGap(20_000)
    expect(reportAt(window, 21_000)).toMatchObject({
      coverageComplete: false,
      gapStart: WALL_MS + 20_000,
      gapEnd: null,
    })
    window.endGap(22_000)
    expect(reportAt(window, 300_000)).toMatchObject({ gapStart: WALL_MS + 20_000, gapEnd: WALL_MS + 22_000 })
    expect(httpAt(window, 300_000)?.condition).toBe('coverage_gap')
    expect(reportAt(window, 320_000)).toMatchObject({ coverageComplete: true, gapStart: null, gapEnd: null })
  })

  it.each([
    ['exactly the target, though its bound is above it', 5_000, 'result_delay'],
    ['longer than the target', 5_000.001, 'downstream_limited'],
  ])('tells late results from slow targets exactly: an execution of %s', (_what, executionMs, condition) => {
    const window = newWindow()
    for (let sample = 0; sample < 1_000; sample++) check(window, 1_000, 1, executionMs, 'success')
    const report = httpAt(window, 10_000)!
    expect(report.execution.p99Ms).toBe(5_120)
    expect(report.condition).toBe(condition)
  })

  it('counts what became of an episode with the time it reached the threshold', () => {
    const window = newWindow()
    window.noteRecovery('eligible', 1_000)
    window.noteRecovery('admitted', 1_000)
    window.noteRecovery('eligible', 200_000)
    window.noteRecovery('noneConfigured', 200_000)
    window.noteRecovery('succeeded', 1_000)
    expect(reportAt(window, 299_999).recoveryCoverage).toMatchObject({
      eligible: 2,
      noneConfigured: 1,
      admitted: 1,
      succeeded: 1,
    })
    window.noteRecovery('failed', 1_000)
    expect(reportAt(window, 300_000).recoveryCoverage).toMatchObject({ eligible: 1, admitted: 0, failed: 0 })
  })
})
