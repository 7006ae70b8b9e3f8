// projection/query/query-thread.ts: the thread that searches large fleets, so that the controller does not.
// It reads shared memory, runs one query at a time, and owns nothing.
import { flushCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { answeredBy, Moved, ThreadCalls } from '../../platform/thread-calls.ts'
import { byName, type KnownOrder, type Query } from './query.ts'
import { QueryEngine } from './query-engine.ts'
import type { QueryView } from './query-view.ts'

/** One search of each kind: a word, one digit, several digits. */
const anySearches = ['e', '1', '12'].map(
  (text): Query => ({
    kind: 'find',
    filter: {
      ...{ status: null, type: null, code: null, tellsNobody: null, snoozed: null },
      ...{ listed: [], text },
    },
    sort: byName,
    ranks: null,
    page: 1,
    size: 1,
  }),
)

let engine: QueryEngine | null = null

const methods = {
  /** Later queries use this view. */
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

/** So that the first search of a client does not wait for compilation. */
function warmUp(): void {
  for (const search of anySearches) engine!.answer(search)
}

// Called here, since a terminated thread writes nothing: the next start then needs no type stripping.
flushCompileCache()
new ThreadCalls(parentPort!, { answer: answeredBy(methods) })
