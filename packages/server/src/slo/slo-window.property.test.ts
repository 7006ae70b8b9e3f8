import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WINDOW_MS } from './bucket-grid.ts'
import type { DriverReport, Percentiles } from './driver-report.ts'
import { type NaiveCheck, NaiveWindow } from './naive-window.fixture.ts'
import { SloWindow } from './slo-window.ts'

const settings = { drivers: ['http', 'tcp'], targets: { queueTargetMs: 250, resultTargetMs: 5_000 } }
const START_MS = 1_700_000_000_000

const driver = fc.constantFrom(0, 1)
const pick = fc.nat(1_000)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('expect'), driver, latenessMs: fc.nat(900) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('start'), pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('finish'),
      pick,
      outcome: fc.constantFrom('success', 'failure', 'timeout', 'no_data'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('abandon'), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('miss'),
      driver,
      count: fc.integer({ min: 1, max: 400 }),
      spacingMs: fc.integer({ min: 1_000, max: 70_000 }),
      agoMs: fc.nat(20_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.nat(400) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.nat(20_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.nat(20_000_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('begin-gap') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end-gap') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart'), awayMs: fc.nat(100_000) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** The window beside the naive one; monotonic time begins anew with each run. */
class Pair {
  nowMs = START_MS
  runBeganMs = START_MS
  window = new SloWindow(settings, 0)
  readonly naive = new NaiveWindow(settings.targets, START_MS)
  gapIsOpen = false
  lastGapEndMs = Number.NEGATIVE_INFINITY

  take(step: Step): void {
    switch (step.kind) {
      case 'expect': {
        const scheduledMs = Math.max(this.runBeganMs, this.nowMs - step.latenessMs)
        this.window.expected(step.driver, this.#monotonic(scheduledMs))
        this.naive.expect(settings.drivers[step.driver]!, scheduledMs)
        break
      }
      case 'start': {
        const check = this.#pick(step.pick, (check) => check.startedMs === null)
        if (check === undefined) break
        check.startedMs = this.nowMs
        this.window.started(...this.#begun(check), this.#monotonic(this.nowMs))
        break
      }
      case 'finish': {
        const check = this.#pick(step.pick, (check) => check.startedMs !== null)
        if (check === undefined) break
        check.finishedMs = this.nowMs
        check.outcome = step.outcome
        const [startedMs, finishedMs] = [this.#monotonic(check.startedMs!), this.#monotonic(this.nowMs)]
        this.window.finished(...this.#begun(check), startedMs, finishedMs, step.outcome)
        break
      }
      case 'abandon': {
        const check = this.#pick(step.pick, () => true)
        if (check === undefined) break
        this.naive.checks = this.naive.checks.filter((other) => other !== check)
        const startedMs = check.startedMs === null ? null : this.#monotonic(check.startedMs)
        this.window.abandoned(...this.#begun(check), startedMs)
        break
      }
      case 'miss': {
        const fits = Math.floor((this.nowMs - step.agoMs - this.runBeganMs) / step.spacingMs) + 1
        const count = Math.min(step.count, fits)
        if (count < 1) break
        const firstMs = this.nowMs - step.agoMs - (count - 1) * step.spacingMs
        this.window.missed(step.driver, this.#monotonic(firstMs), count, step.spacingMs)
        if (!this.gapIsOpen) this.naive.miss(settings.drivers[step.driver]!, firstMs, count, step.spacingMs)
        break
      }
      case 'pass':
        this.nowMs += step.ms
        break
      case 'begin-gap':
        this.gapIsOpen = true
        this.window.beginGap(this.#monotonic(this.nowMs))
        break
      case 'end-gap':
        if (this.gapIsOpen) this.lastGapEndMs = this.nowMs
        this.gapIsOpen = false
        this.window.endGap(this.#monotonic(this.nowMs))
        break
      case 'restart':
        this.#restart(step.awayMs)
        break
    }
  }

  report() {
    return this.window.report(this.#monotonic(this.nowMs), this.nowMs)
  }

  #restart(awayMs: number): void {
    const saved = this.window.snapshot(this.#monotonic(this.nowMs), this.nowMs)
    this.naive.endRun(this.nowMs)
    this.nowMs += awayMs
    this.runBeganMs = this.nowMs
    this.window = SloWindow.restore(settings, saved, 0, this.nowMs)
    this.gapIsOpen = false
    this.lastGapEndMs = this.nowMs
  }

  #monotonic(wallMs: number): number {
    return wallMs - this.runBeganMs
  }

  #begun(check: NaiveCheck): [number, number] {
    return [settings.drivers.indexOf(check.driver), this.#monotonic(check.scheduledMs)]
  }

  #pick(seed: number, fits: (check: NaiveCheck) => boolean): NaiveCheck | undefined {
    const open = this.naive.checks.filter(
      (check) => check.finishedMs === null && !check.orphaned && fits(check),
    )
    return open[seed % Math.max(1, open.length)]
  }
}

function expectBounds(bounds: Percentiles, exactMs: readonly number[]): void {
  const sorted = exactMs.toSorted((a, b) => a - b)
  for (const [percent, boundMs] of [
    [50, bounds.p50Ms],
    [95, bounds.p95Ms],
    [99, bounds.p99Ms],
  ] as const) {
    const exact = sorted[Math.ceil((percent * sorted.length) / 100) - 1]
    if (exact === undefined) expect(boundMs).toBeNull()
    // The histogram knows nothing longer than 2^20 ms.
    else if (exact >= 2 ** 20) expect(boundMs).toBe(2 ** 20)
    else {
      expect(boundMs).toBeGreaterThan(exact)
      expect(boundMs).toBeLessThanOrEqual(Math.max(0.0625, exact * 1.0625))
    }
  }
}

function expectLaws(report: DriverReport): void {
  expect(report.expected).toBe(report.samples + report.missed + report.overdue)
  expect(report.expected + report.pending).toBeGreaterThan(0)
  for (const attainment of [report.queueAttainment, report.resultAttainment]) {
    if (attainment === null) continue
    expect(attainment).toBeGreaterThanOrEqual(0)
    expect(attainment).toBeLessThanOrEqual(1)
  }
}

describe('SloWindow', () => {
  function agreesWithAList(numRuns: number): void {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const pair = new Pair()
        for (const step of steps) {
          pair.take(step)
          const { reports, coverageComplete, gapEnd } = pair.report()
          for (const report of reports) expectLaws(report)
          for (const driver of settings.drivers) {
            const naive = pair.naive.report(driver, pair.nowMs)
            const report = reports.find((report) => report.driver === driver)
            if (naive === null || report === undefined) {
              expect(report ?? null).toBe(naive)
              continue
            }
            const { queueMs, executionMs, scheduledResultMs, ...figures } = naive
            expect(report).toMatchObject(figures)
            expectBounds(report.schedulingQueue, queueMs)
            expectBounds(report.execution, executionMs)
            expectBounds(report.scheduledResult, scheduledResultMs)
          }
          const windowBeganMs = START_MS + (Math.floor((pair.nowMs - START_MS) / 5_000) - 59) * 5_000
          expect(pair.nowMs - windowBeganMs).toBeLessThan(WINDOW_MS)
          const gapIsHere = pair.gapIsOpen || pair.lastGapEndMs >= windowBeganMs
          expect(coverageComplete).toBe(!gapIsHere)
          expect(gapEnd).toBe(gapIsHere && !pair.gapIsOpen ? pair.lastGapEndMs : null)
        }
      }),
      { numRuns },
    )
  }

  it('agrees with a list of all checks at every moment, over clock jumps, gaps and restarts', () =>
    agreesWithAList(30))

  it('agrees with it in many more histories', { tags: 'long' }, () => agreesWithAList(120))
})
