// telemetry/sample-history.ts: a bounded series of observations for the history views: 900 samples, one per
// second, oldest first. The caller ensures the interval. Memory is allocated once and never grows. A missing
// measurement stays null.

export const HISTORY_CAPACITY = 900
export const HISTORY_INTERVAL_SECONDS = 1

/** A sample as it is read: when it was taken, in epoch milliseconds, and the fields of the series. */
export type Sample<Field extends string> = { readonly at: number } & Readonly<Record<Field, number | null>>

export class SampleHistory<Field extends string> {
  readonly #fields: readonly Field[]
  readonly #capacity: number
  /** One row per sample: the time, then the fields. NaN stands for a missing measurement. */
  readonly #rows: Float64Array
  #recorded = 0

  constructor(fields: readonly Field[], capacity: number = HISTORY_CAPACITY) {
    this.#fields = fields
    this.#capacity = capacity
    this.#rows = new Float64Array(capacity * (fields.length + 1))
  }

  get capacity(): number {
    return this.#capacity
  }

  get length(): number {
    return Math.min(this.#recorded, this.#capacity)
  }

  /** Records the fields of an observation; its other members are ignored. */
  record(atWallMs: number, observation: Readonly<Record<Field, number | null>>): void {
    let cell = this.#rowOf(this.#recorded++)
    this.#rows[cell++] = atWallMs
    for (const field of this.#fields) this.#rows[cell++] = observation[field] ?? Number.NaN
  }

  samples(): Sample<Field>[] {
    const samples: Sample<Field>[] = []
    for (let index = this.#recorded - this.length; index < this.#recorded; index++) {
      samples.push(this.#read(this.#rowOf(index)))
    }
    return samples
  }

  #read(cell: number): Sample<Field> {
    const sample: Record<string, number | null> = { at: this.#rows[cell]! }
    for (const field of this.#fields) {
      const value = this.#rows[++cell]!
      sample[field] = Number.isNaN(value) ? null : value
    }
    return sample as Sample<Field>
  }

  #rowOf(index: number): number {
    return (index % this.#capacity) * (this.#fields.length + 1)
  }
}
