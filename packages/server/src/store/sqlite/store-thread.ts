// store/sqlite/store-thread.ts: the thread that runs the store. It exits when it is told to close.
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { giveBackMemory } from '../../platform/give-back-memory.ts'
import { answerRequests, type StoreThreadSetup } from './answer-requests.ts'

answerRequests(parentPort!, workerData as StoreThreadSetup)
// Called here, since a terminated thread writes nothing: the next start then needs no type stripping.
flushCompileCache()
giveBackMemory()
