// store/sqlite/store-thread.ts: the thread in which the store lives. It answers requests one after the other and ends
// when it is told to close.
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { giveBackMemory } from '../../platform/give-back-memory.ts'
import { StoreEngine } from './store-engine.ts'
import { type Request, replyOf, type StoreThreadSetup } from './thread-protocol.ts'

const port = parentPort!
const { directory, bounds, servesResources } = workerData as StoreThreadSetup
let engine: StoreEngine
const opened = replyOf(() => {
  engine = new StoreEngine(directory, { bounds, servesResources })
  return engine.identity
})

// Here, since a thread that is terminated keeps nothing: the next start then needs no type stripper.
flushCompileCache()
giveBackMemory()
port.on('message', (request: Request) => {
  port.postMessage(replyOf(() => call(request)))
  if (request.method === 'close') port.close()
})
port.postMessage(opened)
if (!opened.ok) port.close()

function call({ method, arguments: given }: Request): unknown {
  return (engine[method] as (...words: readonly unknown[]) => unknown).apply(engine, given)
}
