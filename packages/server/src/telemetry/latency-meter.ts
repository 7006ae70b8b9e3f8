// telemetry/latency-meter.ts: the latencies of the last few hundred occurrences. Exact, because there are few.

const kept = 512

export class LatencyMeter {
  readonly #latencies: number[] = []
  #next = 0

  note(latencyMs: number): void {
    this.#latencies[this.#next] = latencyMs
    this.#next = (this.#next + 1) % kept
  }

  /** Null before the first. */
  get meanMs(): number | null {
    const { length } = this.#latencies
    return length === 0 ? null : this.#latencies.reduce((sum, one) => sum + one) / length
  }

  get p99Ms(): number | null {
    const sorted = this.#latencies.toSorted((one, other) => one - other)
    return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? null
  }
}
