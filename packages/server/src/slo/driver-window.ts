// slo/driver-window.ts: the counters of one driver's checks, by the bucket of their scheduled time. Recording
// a check takes a few additions to one row and allocates nothing. Anything reported about a bucket that has
// left the window is dropped, together with what was reported about it before.
//
// A check is unfinished from its acceptance until it is finished or abandoned, and a sample once it is finished.
import type { OutcomeStatus } from '../checks/driver.ts'
import { BucketTable, FIRST_COLUMN } from './bucket-table.ts'
import { BINS, binOf } from './latency-histogram.ts'

export interface SloTargets {
  /** From the scheduled time to the start. */
  readonly queueTargetMs: number
  /** From the scheduled time to the result. */
  readonly resultTargetMs: number
}

const UNFINISHED = FIRST_COLUMN
/** Unfinished checks that started within the queue target: if overdue, they still count as started in time. */
const PROMPT_UNFINISHED = FIRST_COLUMN + 1
const SAMPLES = FIRST_COLUMN + 2
const MISSED = FIRST_COLUMN + 3
const TIMEOUTS = FIRST_COLUMN + 4
const LEFT_OUT = FIRST_COLUMN + 5
const QUEUE_MET = FIRST_COLUMN + 6
const RESULT_MET = FIRST_COLUMN + 7
const SLOW_EXECUTIONS = FIRST_COLUMN + 8
const QUEUE_HISTOGRAM = FIRST_COLUMN + 9
const EXECUTION_HISTOGRAM = QUEUE_HISTOGRAM + BINS
const RESULT_HISTOGRAM = EXECUTION_HISTOGRAM + BINS
const COLUMNS = RESULT_HISTOGRAM + BINS

export interface DriverTotals {
  readonly samples: number
  readonly missed: number
  readonly pending: number
  readonly overdue: number
  readonly timeouts: number
  /** Samples that say nothing (no_data, own fault) and do not count towards attainment. */
  readonly leftOut: number
  readonly queueMet: number
  readonly resultMet: number
  /** Samples whose execution alone took longer than the result target. */
  readonly slowExecutions: number
  readonly queueHistogram: Float64Array
  readonly executionHistogram: Float64Array
  readonly resultHistogram: Float64Array
}

export class DriverWindow {
  readonly #targets: SloTargets
  readonly #table = new BucketTable(COLUMNS)

  constructor(targets: SloTargets) {
    this.#targets = targets
  }

  expected(bucket: number): void {
    const row = this.#table.claim(bucket)
    if (row >= 0) this.#table.add(row + UNFINISHED)
  }

  started(bucket: number, queueMs: number): void {
    const row = this.#table.claim(bucket)
    if (row < 0 || queueMs > this.#targets.queueTargetMs) return
    this.#table.add(row + PROMPT_UNFINISHED)
  }

  finished(
    bucket: number,
    queueMs: number,
    executionMs: number,
    resultMs: number,
    outcome: OutcomeStatus,
  ): void {
    const row = this.#table.claim(bucket)
    if (row < 0) return
    const table = this.#table
    const { queueTargetMs, resultTargetMs } = this.#targets
    const isPrompt = queueMs <= queueTargetMs
    this.#close(row, isPrompt)
    table.add(row + SAMPLES)
    table.add(row + QUEUE_HISTOGRAM + binOf(queueMs))
    table.add(row + EXECUTION_HISTOGRAM + binOf(executionMs))
    table.add(row + RESULT_HISTOGRAM + binOf(resultMs))
    if (executionMs > resultTargetMs) table.add(row + SLOW_EXECUTIONS)
    if (outcome === 'no_data') {
      table.add(row + LEFT_OUT)
      return
    }
    if (isPrompt) table.add(row + QUEUE_MET)
    if (outcome === 'timeout') table.add(row + TIMEOUTS)
    else if (resultMs <= resultTargetMs) table.add(row + RESULT_MET)
  }

  /** queueMs is null for a check that had not started. */
  abandoned(bucket: number, queueMs: number | null): void {
    const row = this.#table.claim(bucket)
    if (row >= 0) this.#close(row, queueMs !== null && queueMs <= this.#targets.queueTargetMs)
  }

  missed(bucket: number, count: number): void {
    const row = this.#table.claim(bucket)
    if (row >= 0) this.#table.add(row + MISSED, count)
  }

  /** Over this bucket and all later ones. What is unfinished in a bucket before pendingBucket is overdue. */
  totals(oldestBucket: number, pendingBucket: number): DriverTotals {
    const { cells } = this.#table
    const sums = this.#table.sumSince(oldestBucket)
    const sum = (column: number) => sums[column] ?? 0
    let overdue = 0
    let promptOverdue = 0
    for (const row of this.#table.rowsSince(oldestBucket)) {
      if (this.#table.bucketOf(row) >= pendingBucket) continue
      overdue += cells[row + UNFINISHED]!
      promptOverdue += cells[row + PROMPT_UNFINISHED]!
    }
    return {
      samples: sum(SAMPLES),
      missed: sum(MISSED),
      pending: sum(UNFINISHED) - overdue,
      overdue,
      timeouts: sum(TIMEOUTS),
      leftOut: sum(LEFT_OUT),
      queueMet: sum(QUEUE_MET) + promptOverdue,
      resultMet: sum(RESULT_MET),
      slowExecutions: sum(SLOW_EXECUTIONS),
      queueHistogram: sums.subarray(QUEUE_HISTOGRAM, EXECUTION_HISTOGRAM),
      executionHistogram: sums.subarray(EXECUTION_HISTOGRAM, RESULT_HISTOGRAM),
      resultHistogram: sums.subarray(RESULT_HISTOGRAM),
    }
  }

  /** A copy without the pending checks: the next process cannot finish them, and they are not overdue yet. */
  copyCells(pendingBucket: number): Uint32Array {
    const copy = this.#table.cells.slice()
    for (const row of this.#table.rowsSince(pendingBucket)) {
      copy[row + UNFINISHED] = 0
      copy[row + PROMPT_UNFINISHED] = 0
    }
    return copy
  }

  restoreCells(cells: Uint32Array): void {
    this.#table.cells.set(cells)
  }

  // The guards keep a check that was never expected from making a counter wrap around.
  #close(row: number, wasPrompt: boolean): void {
    const { cells } = this.#table
    if (cells[row + UNFINISHED]! > 0) cells[row + UNFINISHED]! -= 1
    if (wasPrompt && cells[row + PROMPT_UNFINISHED]! > 0) cells[row + PROMPT_UNFINISHED]! -= 1
  }
}
