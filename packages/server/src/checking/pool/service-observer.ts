// checking/pool/service-observer.ts: how long jobs occupy their workers, over the last five minutes, including jobs that
// are still running. Jobs are counted in the quarter second in which they *started*, so that a target that accepts and
// never answers is detected while it hangs, not after its timeout, when the pool is full of such jobs. A job that is
// still running a quarter second after its start is assumed to last until its timeout.
import { BucketWindow } from '../../telemetry/bucket-window.ts'

const COHORT_MS = 250
const COHORTS = 1_200
/**
 * How many of the newest starts count as recent. Few, so that a pool of a dozen workers detects hanging
 * targets before it is full; the price is a pool of up to twice the size, whose idle workers cost nothing.
 */
const RECENT_STARTS = 100

// Columns of a cohort. Sums of squares give the variance.
const STARTED = 0
const HELD_MS = 1
const HELD_SQUARED = 2
const OPEN_TIMEOUT_MS = 3
const OPEN_TIMEOUT_SQUARED = 4
const COLUMNS = 5

export interface ServiceObservation {
  readonly meanMs: number
  /** Standard deviation over mean; null for a single job. */
  readonly cv: number | null
  readonly samples: number
}

export class ServiceObserver {
  readonly #cohorts: BucketWindow

  constructor(nowMs: number) {
    this.#cohorts = new BucketWindow({ bucketMs: COHORT_MS, length: COHORTS, columns: COLUMNS }, nowMs)
  }

  noteStarted(nowMs: number, timeoutMs: number): void {
    const cells = this.#cohorts.cells
    const cell = this.#cohorts.roll(nowMs)
    cells[cell + STARTED]! += 1
    cells[cell + OPEN_TIMEOUT_MS]! += timeoutMs
    cells[cell + OPEN_TIMEOUT_SQUARED]! += timeoutMs * timeoutMs
  }

  noteEnded(startedMs: number, timeoutMs: number, nowMs: number): void {
    this.#cohorts.roll(nowMs)
    const cells = this.#cohorts.cells
    const cell = this.#cohorts.find(startedMs)
    if (cell < 0) return
    const heldMs = nowMs - startedMs
    cells[cell + OPEN_TIMEOUT_MS]! -= timeoutMs
    cells[cell + OPEN_TIMEOUT_SQUARED]! -= timeoutMs * timeoutMs
    cells[cell + HELD_MS]! += heldMs
    cells[cell + HELD_SQUARED]! += heldMs * heldMs
  }

  /**
   * Over the whole window or over its newest starts, whichever occupies workers longer: a pool has to react
   * at once when targets hang, and may take its time when they have stopped.
   */
  observe(nowMs: number): ServiceObservation | null {
    this.#cohorts.roll(nowMs)
    const { cells, completedCount } = this.#cohorts
    let started = 0
    let heldMs = 0
    let heldSquared = 0
    let recent: ServiceObservation | null = null
    // The newest complete cohort has members younger than a quarter second, so it says nothing yet.
    let cell = this.#cohorts.completed(0)
    for (let age = 1; age < completedCount; age++) {
      cell = this.#cohorts.before(cell)
      // Most cohorts of a small fleet are empty, and the loop asks four times per second.
      if (cells[cell + STARTED] === 0) continue
      started += cells[cell + STARTED]!
      heldMs += cells[cell + HELD_MS]! + cells[cell + OPEN_TIMEOUT_MS]!
      heldSquared += cells[cell + HELD_SQUARED]! + cells[cell + OPEN_TIMEOUT_SQUARED]!
      if (recent === null && started >= RECENT_STARTS) recent = summary(started, heldMs, heldSquared)
    }
    const whole = summary(started, heldMs, heldSquared)
    if (whole === null || recent === null) return whole
    return recent.meanMs > whole.meanMs ? recent : whole
  }
}

function summary(samples: number, sumMs: number, sumSquared: number): ServiceObservation | null {
  if (samples === 0) return null
  const meanMs = sumMs / samples
  if (samples === 1 || meanMs <= 0) return { meanMs: Math.max(0, meanMs), cv: null, samples }
  // Rounding can push the difference a little below 0.
  return { meanMs, cv: Math.sqrt(Math.max(0, sumSquared / samples - meanMs * meanMs)) / meanMs, samples }
}
