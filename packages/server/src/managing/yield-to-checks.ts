// managing/yield-to-checks.ts: writes use the capacity that checks leave. While checks start late, a write
// waits before it begins: briefly, because checks may be late for reasons unrelated to writes, and because a
// machine that is too small for its fleet must still accept the write that makes the fleet smaller.
//
// It does not measure CPU time: a thread that waits for a core looks idle to itself.
import { setTimeout as sleep } from 'node:timers/promises'

export interface YieldBounds {
  /** Up to this delay, checks are on time. */
  readonly lateMs: number
  readonly waitedAtMostMs: number
  readonly lookEveryMs: number
}

const usualBounds: YieldBounds = { lateMs: 80, waitedAtMostMs: 250, lookEveryMs: 10 }

export class YieldToChecks {
  readonly #delayMs: () => number
  readonly #bounds: YieldBounds

  /** delayMs: how late the next check starts. */
  constructor(delayMs: () => number, bounds: YieldBounds = usualBounds) {
    this.#delayMs = delayMs
    this.#bounds = bounds
  }

  /** Null if a write may begin at once, as it nearly always may. */
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
