// projection/query/query-protocol.ts: the messages between the engine's thread and the query thread. They arrive in the
// order in which they were sent, so a query is answered over the last view that was sent before it.
import type { AnswerTo, KnownOrder, Query } from './query.ts'
import type { QueryView } from './query-view.ts'

export type ToQueryThread =
  | { readonly kind: 'view'; readonly view: QueryView; readonly amended: Uint32Array | null }
  | { readonly kind: 'query'; readonly ticket: number; readonly query: Query }

export type FromQueryThread =
  | { readonly kind: 'found'; readonly ticket: number; readonly found: AnswerTo<Query> }
  /** Queries look at this view from now on. */
  | { readonly kind: 'viewed'; readonly number: number; readonly order: KnownOrder }
