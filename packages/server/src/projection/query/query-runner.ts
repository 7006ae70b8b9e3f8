// projection/query/query-runner.ts: whatever carries out queries: the engine in this thread, for fleets that are
// searched in no time, or a thread of its own. A query that cannot be answered now says so, and never looks like an
// empty fleet.

import type { AnswerTo, Query } from './query.ts'
import { QueryEngine } from './query-engine.ts'
import type { QueryView } from './query-view.ts'

export type QueryAnswer<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  /** Too many are waiting already: worth another try in a moment. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable'; readonly reason: string }

export interface QueryRunner extends AsyncDisposable {
  /** Queries that are asked from now on look at this view. */
  take(view: QueryView): void
  run<Asked extends Query>(query: Asked): Promise<QueryAnswer<AnswerTo<Asked>>>
}

export class InlineRunner implements QueryRunner {
  #engine: QueryEngine | null = null

  take(view: QueryView): void {
    if (this.#engine === null) this.#engine = new QueryEngine(view)
    else this.#engine.take(view)
  }

  async run<Asked extends Query>(query: Asked): Promise<QueryAnswer<AnswerTo<Asked>>> {
    return { kind: 'answered', value: this.#engine!.answer(query) }
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
