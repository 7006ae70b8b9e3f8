// managing/yield-to-checks.ts: writes use what checks leave of the machine. While checks start late because there is no
// time for them, a write waits before it begins: for a bounded time, because a machine that is too small for its fleet
// must still take the write that makes the fleet smaller.
import { setTimeout as sleep } from 'node:timers/promises'

export interface Lateness {
  /** How late the check is that starts next. */
  readonly delayMs: () => number
  /** Whether there is no time to spare. Checks that are late although there is do not wait for writes. */
  readonly isBusy: () => boolean
}

export interface YieldBounds {
  /** Below this, checks are on time. */
  readonly lateMs: number
  readonly waitedAtMostMs: number
  readonly lookEveryMs: number
}

/** A check may start a quarter of a second late while people write; half of that is left for what is under way. */
const usualBounds: YieldBounds = { lateMs: 80, waitedAtMostMs: 500, lookEveryMs: 10 }

export class YieldToChecks {
  readonly #lateness: Lateness
  readonly #bounds: YieldBounds

  constructor(lateness: Lateness, bounds: YieldBounds = usualBounds) {
    this.#lateness = lateness
    this.#bounds = bounds
  }

  /** Null when a write may begin at once, as it nearly always may. */
  turn(): Promise<void> | null {
    return this.#areLate() ? this.#wait() : null
  }

  async #wait(): Promise<void> {
    const { waitedAtMostMs, lookEveryMs } = this.#bounds
    for (let waitedMs = 0; waitedMs < waitedAtMostMs && this.#areLate(); waitedMs += lookEveryMs)
      await sleep(lookEveryMs)
  }

  #areLate(): boolean {
    const { delayMs, isBusy } = this.#lateness
    return delayMs() > this.#bounds.lateMs && isBusy()
  }
}
