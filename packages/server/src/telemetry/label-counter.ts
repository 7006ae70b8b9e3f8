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

  read(): LabelCount[] {
    return [...this.#counts].flatMap(([first, counts]) =>
      Array.from(counts, ([second, count]) => ({ first, second, count })),
    )
  }
}
