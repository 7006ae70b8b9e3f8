// projection/query/query-thread.ts: the thread that searches large fleets, so that the controller never does. It reads
// shared memory, one query after the other, and owns nothing.
import { parentPort } from 'node:worker_threads'
import { QueryEngine } from './query-engine.ts'
import type { QueryReply, ToQueryThread } from './query-protocol.ts'

const port = parentPort!
let engine: QueryEngine | null = null

port.on('message', (message: ToQueryThread) => {
  if (message.kind === 'view') {
    if (engine === null) engine = new QueryEngine(message.view)
    else engine.take(message.view)
    return
  }
  const found = engine!.answer(message.query)
  const bytes = 'bytes' in found ? found.bytes : found.slots
  const reply: QueryReply = { ticket: message.ticket, found }
  port.postMessage(reply, [bytes.buffer as ArrayBuffer])
})
