// telemetry/check-counts.ts: the outcomes of all checks since the start, by type, and how long they took:
// counters that only grow, for metrics. Runs for every check, so `note` allocates nothing.
import { Histogram, type HistogramReading } from './histogram.ts'

export const checkOutcomes = ['success', 'failure', 'timeout', 'no_data', 'own_fault'] as const
export type CheckOutcome = (typeof checkOutcomes)[number]

const durationBoundsMs = [5, 25, 100, 250, 1_000, 5_000, 10_000]
const delayBoundsMs = [5, 10, 20, 50, 100, 250, 1_000, 5_000, 30_000]

export interface TypeCounts {
  readonly type: string
  readonly outcomes: Readonly<Record<CheckOutcome, number>>
  readonly durations: HistogramReading
}

export class CheckCounts {
  readonly #types: readonly string[]
  readonly #outcomes: Float64Array
  readonly #durations: readonly Histogram[]
  readonly #delays = new Histogram(delayBoundsMs)

  constructor(types: readonly string[]) {
    this.#types = types
    this.#outcomes = new Float64Array(types.length * checkOutcomes.length)
    this.#durations = types.map(() => new Histogram(durationBoundsMs))
  }

  /** `type` is an index into the types; `delayMs` is from the scheduled time to the start. */
  note(type: number, outcome: CheckOutcome, durationMs: number, delayMs: number): void {
    this.#outcomes[type * checkOutcomes.length + checkOutcomes.indexOf(outcome)]! += 1
    this.#durations[type]?.note(durationMs)
    this.#delays.note(Math.max(0, delayMs))
  }

  /** A result that was reported from outside: nothing of it was scheduled, and how long it took is the job's own. */
  noteReported(type: number, outcome: CheckOutcome): void {
    this.#outcomes[type * checkOutcomes.length + checkOutcomes.indexOf(outcome)]! += 1
  }

  get delays(): HistogramReading {
    return this.#delays.read()
  }

  /** Counts of the given types, and of all other types that were checked. */
  byType(wanted: ReadonlySet<string>): TypeCounts[] {
    return [...this.#durations.entries()].flatMap(([index, histogram]) => {
      const type = this.#types[index] ?? ''
      const durations = histogram.read()
      if (durations.count === 0 && !wanted.has(type)) return []
      const of = (outcome: number) => this.#outcomes[index * checkOutcomes.length + outcome] ?? 0
      const outcomes = Object.fromEntries(checkOutcomes.map((outcome, number) => [outcome, of(number)]))
      return [{ type, outcomes: outcomes as TypeCounts['outcomes'], durations }]
    })
  }
}
