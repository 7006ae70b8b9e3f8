// projection/query/query-runner.ts: what runs queries: the query engine in this thread, for fleets that are searched in
// no time, or a thread of its own. A query that cannot be answered now says so, and never looks like an empty fleet.

import type { AnswerTo, KnownOrder, Query } from './query.ts'
import { QueryEngine } from './query-engine.ts'
import type { QueryView } from './query-view.ts'

export type QueryAnswer<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  /** Too many are waiting already: worth another try in a moment. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable'; readonly reason: string }

export interface QueryRunner extends AsyncDisposable {
  /**
   * Queries that are asked from now on look at this view. Amended: the rows that differ from the one before, which has
   * the same arrangement; null when it is another fleet.
   */
  take(view: QueryView, amended: Uint32Array | null): void
  run<Asked extends Query>(query: Asked): Promise<QueryAnswer<AnswerTo<Asked>>>
  /** Threads of its own that there are now. */
  readonly threads: number
  /** How long the oldest thing that was given to it has waited; endless while there is no thread to do it. */
  readonly behindMs: number
  /** Of the last view that it has looked at; null before the first. */
  readonly order: KnownOrder | null
}

export class InlineRunner implements QueryRunner {
  #engine: QueryEngine | null = null
  readonly behindMs = 0
  readonly threads = 0

  take(view: QueryView, amended: Uint32Array | null): void {
    if (this.#engine === null) this.#engine = new QueryEngine(view)
    else this.#engine.take(view, amended)
  }

  get order(): KnownOrder | null {
    return this.#engine?.order ?? null
  }

  async run<Asked extends Query>(query: Asked): Promise<QueryAnswer<AnswerTo<Asked>>> {
    return { kind: 'answered', value: this.#engine!.answer(query) }
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
