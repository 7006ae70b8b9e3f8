// telemetry/label-counter.ts: a counter for each combination of two labels; there are few of them.

export interface LabelCount {
  readonly first: string
  readonly second: string
  readonly count: number
}

export class LabelCounter {
  readonly #counts = new Map<string, Map<string, number>>()

  note(first: string, second: string): void {
    let counts = this.#counts.get(first)
    if (counts === undefined) {
      counts = new Map()
      this.#counts.set(first, counts)
    }
    counts.set(second, (counts.get(second) ?? 0) + 1)
  }

  /** All counts, including zeros for the given combinations that never occurred. */
  read(firsts: Iterable<string> = [], seconds: Iterable<string> = []): LabelCount[] {
    const all = [...new Set([...firsts, ...this.#counts.keys()])]
    return all.flatMap((first) => {
      const counts = this.#counts.get(first)
      const labels = [...new Set([...seconds, ...(counts?.keys() ?? [])])]
      return labels.map((second) => ({ first, second, count: counts?.get(second) ?? 0 }))
    })
  }
}
