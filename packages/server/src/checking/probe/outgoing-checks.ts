// checking/probe/outgoing-checks.ts: checks that were added but not handed to their probe yet. They go out in one batch.

export interface CheckBatch {
  readonly rows: Uint32Array<ArrayBuffer>
  readonly generations: Uint32Array<ArrayBuffer>
}

export class OutgoingChecks {
  /** Alternating rows and generations. */
  readonly #added: number[] = []

  add(row: number, generation: number): void {
    this.#added.push(row, generation)
  }

  /** All of them, or null if there are none. */
  take(): CheckBatch | null {
    const added = this.#added
    if (added.length === 0) return null
    const count = added.length / 2
    const rows = new Uint32Array(count)
    const generations = new Uint32Array(count)
    for (let index = 0; index < count; index++) {
      rows[index] = added[index * 2]!
      generations[index] = added[index * 2 + 1]!
    }
    added.length = 0
    return { rows, generations }
  }

  clear(): void {
    this.#added.length = 0
  }
}
