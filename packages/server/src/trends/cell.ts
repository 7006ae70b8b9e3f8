// trends/cell.ts: what is kept about a period of time: how many samples were counted, how many of them were healthy, and
// the distribution of their latencies. A monitor's stored cell knows the buckets that 25, 50, 75 and 95 % of its healthy
// samples do not exceed: p50 and p95 are exact to the bucket. Cells can be added up, because each of the four marks
// stands for a quarter of the samples. Counted cells (those being filled, and the fleet's) know every bucket.
import { BUCKETS, bucketMs } from './latency-buckets.ts'

export interface TrendCell {
  readonly samples: number
  readonly healthy: number
  /** Bucket numbers; 0 in a cell without healthy samples, which has no latencies. */
  readonly at25: number
  readonly at50: number
  readonly at75: number
  readonly at95: number
}

export const emptyCell: TrendCell = { samples: 0, healthy: 0, at25: 0, at50: 0, at75: 0, at95: 0 }

export function p50Ms({ healthy, at50 }: TrendCell): number | null {
  return healthy === 0 ? null : bucketMs(at50)
}

export function p95Ms({ healthy, at95 }: TrendCell): number | null {
  return healthy === 0 ? null : bucketMs(at95)
}

/** Samples as counted: failures, and the healthy samples in each bucket. */
export class CountedCell {
  failures = 0
  readonly counts = new Float64Array(BUCKETS)

  get healthy(): number {
    let sum = 0
    for (let bucket = 0; bucket < BUCKETS; bucket++) sum += this.counts[bucket]!
    return sum
  }

  get isEmpty(): boolean {
    return this.failures === 0 && this.counts.every((count) => count === 0)
  }

  add({ failures, counts }: CountedCell): void {
    this.failures += failures
    for (let bucket = 0; bucket < BUCKETS; bucket++) this.counts[bucket]! += counts[bucket]!
  }

  clear(): void {
    this.failures = 0
    this.counts.fill(0)
  }

  /** The cell in its stored form. */
  summed(): TrendCell {
    const { healthy, counts } = this
    return { samples: healthy + this.failures, healthy, ...marksOf(counts, healthy) }
  }
}

/** Adds up stored cells. */
export class CellSum {
  #samples = 0
  #healthy = 0
  /** In quarters of a sample. */
  readonly #quarters = new Float64Array(BUCKETS)

  add({ samples, healthy, at25, at50, at75, at95 }: TrendCell): void {
    this.#samples += samples
    if (healthy === 0) return
    this.#healthy += healthy
    for (const mark of [at25, at50, at75, at95]) this.#quarters[mark]! += healthy
  }

  get total(): TrendCell {
    return {
      samples: this.#samples,
      healthy: this.#healthy,
      ...marksOf(this.#quarters, 4 * this.#healthy),
    }
  }
}

export function sumOf(cells: Iterable<TrendCell>): TrendCell {
  const sum = new CellSum()
  for (const cell of cells) sum.add(cell)
  return sum.total
}

function marksOf(counts: Float64Array, total: number) {
  return {
    at25: bucketAt(counts, 0.25 * total),
    at50: bucketAt(counts, 0.5 * total),
    at75: bucketAt(counts, 0.75 * total),
    at95: bucketAt(counts, 0.95 * total),
  }
}

/** The bucket of the nearest rank. */
function bucketAt(counts: Float64Array, rank: number): number {
  if (rank === 0) return 0
  let seen = 0
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    seen += counts[bucket]!
    // Fractions such as 0.95 × 20 are not exact in binary.
    if (seen >= rank - 1e-6) return bucket
  }
  return BUCKETS - 1
}
