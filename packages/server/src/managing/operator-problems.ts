// managing/operator-problems.ts: problems around v2 that only an operator can fix, while everything else
// keeps working. Each is logged when it appears, changes and ends, and shown by the state and by metrics
// while it lasts. What is shown contains no path and no secret; the log may name paths.
import type { Log } from '../telemetry/log.ts'

export const problemKinds = [
  /** The key file is missing or unusable, so credential values cannot be read or written. */
  'credentials_key',
  /** The principals file cannot be used; the last list is in force. */
  'principals_file',
  /** Fleet files have entries under ids that v2 manages. */
  'file_clash',
  /** Resources of v2 refer to what no fleet file has any more. */
  'lost_reference',
] as const
export type ProblemKind = (typeof problemKinds)[number]

export interface OperatorProblem {
  /** For everyone who may read the state; not a whole sentence. */
  readonly words: string
  /** For the log: a sentence that ends with what to do. */
  readonly sentence: string
  /** How many things it affects. */
  readonly count: number
}

export class OperatorProblems {
  readonly #log: Log
  readonly #found = new Map<ProblemKind, OperatorProblem>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Null if it is fixed. */
  report(kind: ProblemKind, problem: OperatorProblem | null): void {
    const before = this.#found.get(kind) ?? null
    if (problem === null) this.#found.delete(kind)
    else this.#found.set(kind, problem)
    if (before?.sentence === problem?.sentence) return
    if (problem === null) this.#log.info({ problem: kind }, 'the problem is mended')
    else this.#log.error({ problem: kind }, problem.sentence)
  }

  countOf(kind: ProblemKind): number {
    return this.#found.get(kind)?.count ?? 0
  }

  /** All of them; null if there are none. */
  get words(): string | null {
    const found = problemKinds.flatMap((kind) => this.#found.get(kind)?.words ?? [])
    return found.length === 0 ? null : found.join('; ')
  }
}

const mostNamed = 5

/** The first few of many names. */
export function namedFew(names: readonly string[]): string {
  const others = names.length - mostNamed
  return [...names.slice(0, mostNamed), ...(others > 0 ? [`${others} more`] : [])].join(', ')
}
