// store/sqlite/expiry-scan.ts: finds how much of a log, from its oldest end, has expired. A log is in chronological
// order, so an entry with a time in the future was stamped by a wrong clock: it is as old as the entries after it. The
// scan stops at the first entry whose time is past but not expired, whatever comes after it.
import type { StatementSync } from 'node:sqlite'

/** Rows per call: takes a few milliseconds, so that no commit waits long. */
const rowsAtOnce = 10_000
/** Longer than any pause between two calls: beyond it, the clock was set, and earlier results are void. */
const continuousForMs = 24 * 3_600_000

export class ExpiryScan {
  readonly #following: StatementSync
  #position = 0
  #expiredUpTo = 0
  #scannedAt = Number.NEGATIVE_INFINITY

  /** The statement returns `position` and `at` of the next entries after a position, in order. */
  constructor(following: StatementSync) {
    this.#following = following
  }

  /** Scans some more rows and returns the last expired position known so far; less than `oldest` if none is. */
  advance(oldest: number, olderThan: number, now: number): number {
    const isContinuous = now >= this.#scannedAt && now - this.#scannedAt <= continuousForMs
    this.#position = isContinuous ? Math.max(this.#position, oldest - 1) : oldest - 1
    this.#expiredUpTo = isContinuous ? this.#expiredUpTo : oldest - 1
    this.#scannedAt = now
    for (const row of this.#following.iterate(this.#position, rowsAtOnce)) {
      const { position, at } = row as { position: number; at: number }
      if (at >= olderThan && at <= now) break
      if (at < olderThan) this.#expiredUpTo = position
      this.#position = position
    }
    return this.#expiredUpTo
  }
}
