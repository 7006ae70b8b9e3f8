// telemetry/histogram.ts: durations since the start in a few fixed buckets, as metrics servers expect them.
// `note` costs a short search and two additions.

export interface HistogramReading {
  /** Upper bounds in seconds, and how many durations were at or below each; the last bucket contains all. */
  readonly buckets: readonly { readonly atMostSeconds: number; readonly count: number }[]
  readonly count: number
  readonly sumSeconds: number
}

export class Histogram {
  readonly #boundsMs: readonly number[]
  readonly #counts: Float64Array
  #sumMs = 0

  constructor(boundsMs: readonly number[]) {
    this.#boundsMs = boundsMs
    this.#counts = new Float64Array(boundsMs.length + 1)
  }

  note(ms: number): void {
    const bounds = this.#boundsMs
    let bucket = 0
    while (bucket < bounds.length && ms > bounds[bucket]!) bucket++
    this.#counts[bucket]! += 1
    this.#sumMs += ms
  }

  read(): HistogramReading {
    let count = 0
    const buckets = Array.from(this.#counts, (inBucket, bucket) => {
      count += inBucket
      return { atMostSeconds: (this.#boundsMs[bucket] ?? Number.POSITIVE_INFINITY) / 1_000, count }
    })
    return { buckets, count, sumSeconds: this.#sumMs / 1_000 }
  }
}
