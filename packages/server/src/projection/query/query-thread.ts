// projection/query/query-thread.ts: the thread that searches large fleets, so that the controller never does. It reads
// shared memory, one query after the other, and owns nothing.
import { flushCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import type { Query } from './query.ts'
import { QueryEngine } from './query-engine.ts'
import type { FromQueryThread, ToQueryThread } from './query-protocol.ts'

/** One of each kind: for words, for a digit, for more than one. */
const anySearches = ['e', '1', '12'].map(
  (text): Query => ({
    kind: 'find',
    filter: { status: null, type: null, code: null, text },
    page: 1,
    size: 1,
  }),
)

const port = parentPort!
let engine: QueryEngine | null = null

// Here, since a thread that is terminated keeps nothing: the next start then needs no type stripper.
flushCompileCache()
port.on('message', (message: ToQueryThread) => {
  if (message.kind === 'view') {
    const isFirst = engine === null
    if (engine === null) engine = new QueryEngine(message.view)
    else engine.take(message.view, message.amended)
    answer({ kind: 'viewed', number: message.view.number, order: engine.order })
    // No client's first search should wait for the search to be compiled.
    if (isFirst) for (const search of anySearches) engine.answer(search)
    return
  }
  const found = engine!.answer(message.query)
  const bytes = 'bytes' in found ? found.bytes : found.rows
  answer({ kind: 'found', ticket: message.ticket, found }, [bytes.buffer as ArrayBuffer])
})

function answer(message: FromQueryThread, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}
