// store/sqlite/expiry-scan.ts: finds how far from its oldest end a log is older than it is kept. A log is in the order of
// what happened, so an entry whose time is still to come was stamped by a wrong clock: its age is that of the entries
// after it. One whose time has passed and that is still to be kept ends the search, whatever comes after it.
import type { StatementSync } from 'node:sqlite'

/** In one call, so that no commit waits long: some milliseconds. */
const rowsAtOnce = 10_000
/** Further apart than any two calls: the clock was set, and what was measured before means nothing now. */
const continuousForMs = 24 * 3_600_000

export class ExpiryScan {
  readonly #following: StatementSync
  #position = 0
  #expiredUpTo = 0
  #scannedAt = Number.NEGATIVE_INFINITY

  /** The statement gives `position` and `at` of so many entries after a position, in order. */
  constructor(following: StatementSync) {
    this.#following = following
  }

  /** The last position that is old, as far as is known after some more rows; less than `oldest` when none is. */
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
