// projection/query/query-thread.ts: the thread that searches large fleets, so that the controller never does. It reads
// shared memory, one query after the other, and owns nothing.
import { flushCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { answeredBy, Moved, ThreadCalls } from '../../platform/thread-calls.ts'
import type { KnownOrder, Query } from './query.ts'
import { QueryEngine } from './query-engine.ts'
import type { QueryView } from './query-view.ts'

/** One of each kind: for words, for a digit, for more than one. */
const anySearches = ['e', '1', '12'].map(
  (text): Query => ({
    kind: 'find',
    filter: { status: null, type: null, code: null, text },
    page: 1,
    size: 1,
  }),
)

let engine: QueryEngine | null = null

const methods = {
  /** Queries look at this view from now on. */
  take(view: QueryView, amended: Uint32Array | null): KnownOrder {
    if (engine === null) {
      engine = new QueryEngine(view)
      queueMicrotask(warmUp)
    } else engine.take(view, amended)
    return engine.order
  },
  answer(query: Query): Moved {
    const found = engine!.answer(query)
    return new Moved(found, [('bytes' in found ? found.bytes : found.rows).buffer as ArrayBuffer])
  },
}

/** No client's first search should wait for the search to be compiled. */
function warmUp(): void {
  for (const search of anySearches) engine!.answer(search)
}

// Here, since a thread that is terminated keeps nothing: the next start then needs no type stripper.
flushCompileCache()
new ThreadCalls(parentPort!, { answer: answeredBy(methods) })
