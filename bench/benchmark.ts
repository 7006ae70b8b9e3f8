// bench/benchmark.ts: what a benchmark is: flags, and a run that returns its figures and which part of the
// measured work was not done. A run with undone work fails, because its figures measure something else.
import type { FlagTable, FlagValues } from '../scripts/command-line/flags.ts'

export interface Measurement {
  readonly figures: Readonly<Record<string, unknown>>
  /** Sentences; empty if all the measured work was done. */
  readonly undone: readonly string[]
}

export interface Benchmark {
  readonly about: string
  readonly flags: FlagTable
  run(values: never): Measurement | Promise<Measurement>
}

export function defineBenchmark<Table extends FlagTable>(benchmark: {
  readonly about: string
  readonly flags: Table
  run(values: FlagValues<Table>): Measurement | Promise<Measurement>
}): Benchmark {
  return benchmark
}
