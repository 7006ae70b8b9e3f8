// slo/coverage-gaps.ts: the times of the window in which nothing was watched: the service was down, or could not write
// what it saw. Gaps come in the order of time, at most one is open, and two that are less than a bucket apart are
// kept as one, so that a flapping disk cannot fill the memory.
import { BUCKET_MS, WINDOW_MS } from './bucket-grid.ts'

interface Gap {
  readonly startMs: number
  /** Null while it lasts. */
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

  /** From the first beginning to the last end of the gaps that reach past a time; null when there are none. */
  spanSince(oldestMs: number): Readonly<Gap> | null {
    this.#forgetBefore(oldestMs)
    const [first, last] = [this.#gaps.at(0), this.#gaps.at(-1)]
    return first && last ? { startMs: first.startMs, endMs: last.endMs } : null
  }

  /** Beginning and end of each, moved by an offset; NaN is the end of one that lasts. */
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
