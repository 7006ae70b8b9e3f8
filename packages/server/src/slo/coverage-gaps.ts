// slo/coverage-gaps.ts: the times of the window in which nothing was watched: the service was down, or could
// not write what it saw. Gaps are in order of time, at most one is open, and two that are less than a bucket
// apart are merged, so that a flapping disk cannot fill the memory.
import { BUCKET_MS, WINDOW_MS } from './bucket-grid.ts'

interface Gap {
  readonly startMs: number
  /** Null while the gap lasts. */
  endMs: number | null
}

export class CoverageGaps {
  #gaps: Gap[] = []

  get isOpen(): boolean {
    return this.#gaps.at(-1)?.endMs === null
  }

  begin(atMs: number): void {
    if (this.isOpen) return
    this.#forgetBefore(atMs - WINDOW_MS)
    const last = this.#gaps.at(-1)
    if (last?.endMs != null && atMs - last.endMs < BUCKET_MS) last.endMs = null
    else this.#gaps.push({ startMs: atMs, endMs: null })
  }

  end(atMs: number): void {
    const last = this.#gaps.at(-1)
    if (last?.endMs === null) last.endMs = Math.max(last.startMs, atMs)
  }

  /** From the first start to the last end of the gaps that reach past this time; null if there are none. */
  spanSince(oldestMs: number): Readonly<Gap> | null {
    this.#forgetBefore(oldestMs)
    const [first, last] = [this.#gaps.at(0), this.#gaps.at(-1)]
    return first && last ? { startMs: first.startMs, endMs: last.endMs } : null
  }

  /** Start and end of each, shifted by an offset; an end of NaN marks the gap that lasts. */
  toPairs(offsetMs: number): Float64Array {
    const times = this.#gaps.flatMap(({ startMs, endMs }) => [
      startMs + offsetMs,
      endMs === null ? Number.NaN : endMs + offsetMs,
    ])
    return Float64Array.from(times)
  }

  static fromPairs(pairs: Float64Array, offsetMs: number): CoverageGaps {
    const coverage = new CoverageGaps()
    for (let pair = 0; pair < pairs.length; pair += 2) {
      coverage.begin(pairs[pair]! + offsetMs)
      const endMs = pairs[pair + 1]! + offsetMs
      if (!Number.isNaN(endMs)) coverage.end(endMs)
    }
    return coverage
  }

  #forgetBefore(oldestMs: number): void {
    this.#gaps = this.#gaps.filter(({ endMs }) => endMs === null || endMs >= oldestMs)
  }
}
