// store/sqlite/answer-requests.ts: the store's side of the protocol. Opens the store, says whether that succeeded, and
// answers requests one after the other until it is told to close.
import type { MessagePort } from 'node:worker_threads'
import { StoreEngine } from './store-engine.ts'
import { type Request, replyOf, type StoreThreadSetup } from './thread-protocol.ts'

export function answerRequests(
  port: MessagePort,
  { directory, bounds, servesResources, run }: StoreThreadSetup,
): void {
  let engine: StoreEngine
  const opened = replyOf(() => {
    engine = new StoreEngine(directory, { bounds, servesResources, run })
    return engine.identity
  })
  port.on('message', (request: Request) => {
    port.postMessage(replyOf(() => call(engine, request)))
    if (request.method === 'close') port.close()
  })
  port.postMessage(opened)
  if (!opened.ok) port.close()
}

function call(engine: StoreEngine, { method, arguments: given }: Request): unknown {
  return (engine[method] as (...words: readonly unknown[]) => unknown).apply(engine, given)
}
