// managing/yield-to-checks.ts: writes use what checks leave of the machine. While checks start late, a write waits before
// it begins: briefly, because checks may be late for reasons that no write has a part in, and because a machine that is too
// small for its fleet must still take the write that makes the fleet smaller.
//
// Whether the machine is short of time is not asked: a thread that waits for a core looks idle to itself.
import { setTimeout as sleep } from 'node:timers/promises'

export interface YieldBounds {
  /** Up to this, checks are on time. */
  readonly lateMs: number
  readonly waitedAtMostMs: number
  readonly lookEveryMs: number
}

const usualBounds: YieldBounds = { lateMs: 80, waitedAtMostMs: 250, lookEveryMs: 10 }

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
