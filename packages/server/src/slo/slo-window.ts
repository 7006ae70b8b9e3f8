// slo/slo-window.ts: how well checks kept to their times over the last five minutes, per driver. One check is
// recorded in three steps: expected when its time slot was accepted, started, and finished or abandoned; a
// time slot that was not accepted is missed. Drivers are numbers; the settings map them to names. It does no
// I/O and has no clock; all times are of the engine's monotonic clock. A step costs a few additions and
// allocates nothing, except that a driver's counters (280 KB) are created at its first check.
import type { OutcomeStatus } from '../checks/driver.ts'
import { BucketGrid, WINDOW_MS } from './bucket-grid.ts'
import { CoverageGaps } from './coverage-gaps.ts'
import { type DriverReport, driverReport } from './driver-report.ts'
import { DriverWindow, type SloTargets } from './driver-window.ts'
import { type RecoveryCounts, RecoveryCoverage, type RecoveryKind } from './recovery-coverage.ts'
import { canContinue, type SloSnapshot, SNAPSHOT_FORMAT } from './slo-snapshot.ts'

export interface SloReport extends SloTargets {
  readonly windowSeconds: number
  readonly coverageComplete: boolean
  /** Epoch milliseconds, from the start of the first gap, which may lie before the window, to the end of the last one. */
  readonly gapStart: number | null
  /** Null also while the gap lasts. */
  readonly gapEnd: number | null
  readonly recoveryCoverage: RecoveryCounts
  /** Only drivers that have anything in the window. */
  readonly reports: readonly DriverReport[]
}

export interface SloSettings {
  /** The names of the drivers, by their numbers. */
  readonly drivers: readonly string[]
  readonly targets: SloTargets
}

export class SloWindow {
  readonly #settings: SloSettings
  readonly #grid: BucketGrid
  readonly #windows: (DriverWindow | undefined)[]
  readonly #recovery = new RecoveryCoverage()
  #gaps = new CoverageGaps()
  #changes = 0

  constructor(settings: SloSettings, originMs: number) {
    this.#settings = settings
    this.#grid = new BucketGrid(originMs)
    this.#windows = settings.drivers.map(() => undefined)
  }

  /** Incremented by everything that is recorded. */
  get changes(): number {
    return this.#changes
  }

  /** The time slot was offered and accepted: finished or abandoned has to follow. */
  expected(driver: number, scheduledMs: number): void {
    this.#window(driver).expected(this.#grid.bucketOf(scheduledMs))
  }

  started(driver: number, scheduledMs: number, startedMs: number): void {
    this.#window(driver).started(this.#grid.bucketOf(scheduledMs), startedMs - scheduledMs)
  }

  /** An own fault arrives as no_data, as everywhere. */
  finished(
    driver: number,
    scheduledMs: number,
    startedMs: number,
    finishedMs: number,
    outcome: OutcomeStatus,
  ): void {
    this.#window(driver).finished(
      this.#grid.bucketOf(scheduledMs),
      startedMs - scheduledMs,
      finishedMs - startedMs,
      finishedMs - scheduledMs,
      outcome,
    )
  }

  /** The check will have no result, because its monitor was disabled or removed: it counts as never expected. */
  abandoned(driver: number, scheduledMs: number, startedMs: number | null): void {
    const queueMs = startedMs === null ? null : startedMs - scheduledMs
    this.#window(driver).abandoned(this.#grid.bucketOf(scheduledMs), queueMs)
  }

  /** Time slots of one monitor, spacingMs apart, were not started. In a gap nothing was expected, so none is missed. */
  missed(driver: number, firstMs: number, count: number, spacingMs: number): void {
    if (this.#gaps.isOpen) return
    const window = this.#window(driver)
    const grid = this.#grid
    const oldestBucket = grid.oldestBucketAt(firstMs + (count - 1) * spacingMs)
    // After a long stall there may be very many; those that have already left the window are skipped.
    let next = Math.max(0, countBefore(grid.startOf(oldestBucket), firstMs, spacingMs))
    while (next < count) {
      const bucket = grid.bucketOf(firstMs + next * spacingMs)
      const end = Math.min(
        count,
        Math.max(next + 1, countBefore(grid.startOf(bucket + 1), firstMs, spacingMs)),
      )
      window.missed(bucket, end - next)
      next = end
    }
  }

  /** reachedMs: when the episode reached the unhealthy threshold, whatever is recorded about it and when. */
  noteRecovery(kind: RecoveryKind, reachedMs: number): void {
    this.#changes++
    this.#recovery.note(kind, this.#grid.bucketOf(reachedMs))
  }

  beginGap(atMs: number): void {
    this.#changes++
    this.#gaps.begin(atMs)
  }

  endGap(atMs: number): void {
    this.#changes++
    this.#gaps.end(atMs)
  }

  report(nowMs: number, wallMs: number): SloReport {
    const oldestBucket = this.#grid.oldestBucketAt(nowMs)
    const gap = this.#gaps.spanSince(this.#grid.startOf(oldestBucket))
    const wallOf = (timeMs: number) => timeMs + (wallMs - nowMs)
    const { targets, drivers } = this.#settings
    const pendingBucket = this.#grid.firstBucketWithin(targets.resultTargetMs, nowMs)
    const reports = this.#windows.flatMap((window, driver) => {
      if (window === undefined) return []
      const report = driverReport(drivers[driver]!, window.totals(oldestBucket, pendingBucket), gap === null)
      return report.expected + report.pending === 0 ? [] : [report]
    })
    return {
      windowSeconds: WINDOW_MS / 1_000,
      ...targets,
      coverageComplete: gap === null,
      gapStart: gap === null ? null : wallOf(gap.startMs),
      gapEnd: gap === null || gap.endMs === null ? null : wallOf(gap.endMs),
      recoveryCoverage: this.#recovery.totals(oldestBucket),
      reports,
    }
  }

  /** Everything that the next process can continue with, as copies. */
  snapshot(nowMs: number, wallMs: number): SloSnapshot {
    const wallOffsetMs = wallMs - nowMs
    const { targets, drivers } = this.#settings
    const pendingBucket = this.#grid.firstBucketWithin(targets.resultTargetMs, nowMs)
    return {
      format: SNAPSHOT_FORMAT,
      savedAt: wallMs,
      originAt: this.#grid.originMs + wallOffsetMs,
      ...targets,
      gaps: this.#gaps.toPairs(wallOffsetMs),
      recovery: this.#recovery.copyCells(),
      drivers: this.#windows.flatMap((window, driver) =>
        window === undefined ? [] : [{ name: drivers[driver]!, cells: window.copyCells(pendingBucket) }],
      ),
    }
  }

  /**
   * For a service that starts: nothing was watched before, so coverage is complete only once a whole window has passed.
   */
  static begin(settings: SloSettings, nowMs: number): SloWindow {
    const window = new SloWindow(settings, nowMs)
    window.beginGap(nowMs - WINDOW_MS)
    window.endGap(nowMs)
    return window
  }

  /**
   * Continues the window that an earlier process saved; the time since then is a gap. A snapshot that is not
   * comparable (other targets, another format) is not used: the gap then covers its whole window.
   */
  static restore(settings: SloSettings, saved: SloSnapshot, nowMs: number, wallMs: number): SloWindow {
    // If the wall clock was set back, the past must not end up in the future: no time has passed then.
    const wallOffsetMs = Math.max(wallMs, saved.savedAt) - nowMs
    const savedMs = saved.savedAt - wallOffsetMs
    const continues = canContinue(saved, settings.targets)
    // Buckets that have all left the window need no numbers, which a clock gone wrong could make enormous.
    const hasCurrent = continues && nowMs - savedMs < WINDOW_MS
    const window = new SloWindow(settings, hasCurrent ? Math.round(saved.originAt - wallOffsetMs) : nowMs)
    if (hasCurrent) window.#restoreCells(saved)
    if (continues) window.#gaps = CoverageGaps.fromPairs(saved.gaps, -wallOffsetMs)
    window.#gaps.begin(continues ? savedMs : savedMs - WINDOW_MS)
    window.#gaps.end(nowMs)
    return window
  }

  #restoreCells(saved: SloSnapshot): void {
    this.#recovery.restoreCells(saved.recovery)
    for (const { name, cells } of saved.drivers) {
      const driver = this.#settings.drivers.indexOf(name)
      if (driver >= 0) this.#window(driver).restoreCells(cells)
    }
  }

  /** Creates the driver's window on first use. */
  #window(driver: number): DriverWindow {
    this.#changes++
    const window = this.#windows[driver]
    if (window !== undefined) return window
    if (driver >= this.#settings.drivers.length) throw new RangeError(`driver ${driver} has no name`)
    const opened = new DriverWindow(this.#settings.targets)
    this.#windows[driver] = opened
    return opened
  }
}

/** How many of the times firstMs, firstMs + spacingMs, … lie before timeMs; negative if it is before all of them. */
function countBefore(timeMs: number, firstMs: number, spacingMs: number): number {
  return Math.ceil((timeMs - firstMs) / spacingMs)
}
