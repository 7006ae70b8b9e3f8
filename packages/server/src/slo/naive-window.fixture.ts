// slo/naive-window.fixture.ts: a literal implementation of the SLO window's definitions, for tests: every
// check is kept in a list and each figure is counted from scratch. Times are wall milliseconds.
import type { OutcomeStatus } from '../checks/driver.ts'
import type { DriverReport } from './driver-report.ts'
import type { SloTargets } from './driver-window.ts'

export interface NaiveCheck {
  readonly driver: string
  readonly scheduledMs: number
  startedMs: number | null
  finishedMs: number | null
  outcome: OutcomeStatus | null
  /** Its process has ended, so it will never finish. */
  orphaned: boolean
}

export type NaiveReport = Omit<
  DriverReport,
  'schedulingQueue' | 'execution' | 'scheduledResult' | 'condition'
> & { readonly queueMs: number[]; readonly executionMs: number[]; readonly scheduledResultMs: number[] }

export class NaiveWindow {
  checks: NaiveCheck[] = []
  readonly #missed: { driver: string; scheduledMs: number }[] = []
  readonly #targets: SloTargets
  readonly #originMs: number

  constructor(targets: SloTargets, originMs: number) {
    this.#targets = targets
    this.#originMs = originMs
  }

  expect(driver: string, scheduledMs: number): void {
    this.checks.push({
      driver,
      scheduledMs,
      startedMs: null,
      finishedMs: null,
      outcome: null,
      orphaned: false,
    })
  }

  miss(driver: string, firstMs: number, count: number, spacingMs: number): void {
    for (let slot = 0; slot < count; slot++)
      this.#missed.push({ driver, scheduledMs: firstMs + slot * spacingMs })
  }

  /** The next process continues: what is pending is dropped, what is overdue stays so. */
  endRun(nowMs: number): void {
    this.checks = this.checks.filter((check) => check.finishedMs !== null || this.#isLate(check, nowMs))
    for (const check of this.checks) check.orphaned = true
  }

  report(driver: string, nowMs: number): NaiveReport | null {
    const { queueTargetMs, resultTargetMs } = this.#targets
    const isHere = (one: { driver: string; scheduledMs: number }) =>
      one.driver === driver && this.#bucketOf(one.scheduledMs) > this.#bucketOf(nowMs) - 60
    const checks = this.checks.filter(isHere)
    const samples = checks.filter((check) => check.finishedMs !== null)
    const unfinished = checks.filter((check) => check.finishedMs === null)
    const overdue = unfinished.filter((check) => this.#isLate(check, nowMs))
    const missed = this.#missed.filter(isHere).length
    if (checks.length + missed === 0) return null
    const judged = samples.filter((check) => check.outcome !== 'no_data')
    const queueMet = [...judged, ...overdue].filter(
      (check) => check.startedMs !== null && check.startedMs - check.scheduledMs <= queueTargetMs,
    ).length
    const resultMet = judged.filter(
      (check) => check.outcome !== 'timeout' && check.finishedMs! - check.scheduledMs <= resultTargetMs,
    ).length
    const counted = judged.length + missed + overdue.length
    return {
      driver,
      samples: samples.length,
      expected: samples.length + missed + overdue.length,
      missed,
      pending: unfinished.length - overdue.length,
      overdue: overdue.length,
      timeouts: samples.filter((check) => check.outcome === 'timeout').length,
      leftOut: samples.length - judged.length,
      queueMet,
      resultMet,
      queueAttainment: counted === 0 ? null : queueMet / counted,
      resultAttainment: counted === 0 ? null : resultMet / counted,
      queueMs: samples.map((check) => check.startedMs! - check.scheduledMs),
      executionMs: samples.map((check) => check.finishedMs! - check.startedMs!),
      scheduledResultMs: samples.map((check) => check.finishedMs! - check.scheduledMs),
    }
  }

  #bucketOf(timeMs: number): number {
    return Math.floor((timeMs - this.#originMs) / 5_000)
  }

  #isLate(check: NaiveCheck, nowMs: number): boolean {
    const bucketEndMs = this.#originMs + (this.#bucketOf(check.scheduledMs) + 1) * 5_000
    return nowMs - bucketEndMs > this.#targets.resultTargetMs
  }
}
