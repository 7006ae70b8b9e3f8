// projection/query/query-runner.ts: what runs queries: the query engine in this thread, for fleets small enough to search
// at once, or a separate thread. A query that cannot be answered now says so, and never looks like an empty fleet.

import type { AnswerTo, KnownOrder, Query } from './query.ts'
import { QueryEngine } from './query-engine.ts'
import type { QueryView } from './query-view.ts'

export type QueryAnswer<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  /** Too many queries are waiting: worth retrying in a moment. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable'; readonly reason: string }

export interface QueryRunner extends AsyncDisposable {
  /**
   * Later queries use this view. `amended`: the rows that differ from the previous view, which has the same
   * arrangement; null for another fleet.
   */
  take(view: QueryView, amended: Uint32Array | null): void
  run<Asked extends Query>(query: Asked): Promise<QueryAnswer<AnswerTo<Asked>>>
  /** The number of threads that the runner uses now. */
  readonly threads: number
  /** How long its oldest request has waited; infinite while there is no thread. */
  readonly behindMs: number
  /** The order of the last view that it has taken in; null before the first. */
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
