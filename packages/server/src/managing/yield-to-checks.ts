// managing/yield-to-checks.ts: writes use what checks leave of the machine. While checks start late because there is no
// time for them, a write waits before it begins: for a bounded time, because a machine that is too small for its fleet
// must still take the write that makes the fleet smaller.
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

  /** delayMs: how late checks start for lack of time. */
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
