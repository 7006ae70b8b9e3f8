// managing/yield-to-checks.ts: writes use what checks leave of the machine. While checks start late, a write waits before
// it begins, for a bounded time: checks may be late for reasons that are none of its business, and then it is made anyway.
import { setTimeout as sleep } from 'node:timers/promises'

export interface YieldBounds {
  /** Below this, checks are on time. */
  readonly lateMs: number
  readonly waitedAtMostMs: number
  readonly lookEveryMs: number
}

/** A check may start a quarter of a second late while people write; half of that is left for what is under way. */
const usualBounds: YieldBounds = { lateMs: 80, waitedAtMostMs: 500, lookEveryMs: 10 }

export class YieldToChecks {
  readonly #delayMs: () => number
  readonly #bounds: YieldBounds

  /** delayMs: how late the check is that starts next. */
  constructor(delayMs: () => number, bounds: YieldBounds = usualBounds) {
    this.#delayMs = delayMs
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
    return this.#delayMs() > this.#bounds.lateMs
  }
}
