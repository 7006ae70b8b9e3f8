// store/sqlite/store-thread.ts: the thread in which the store lives. It ends when it is told to close.
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { giveBackMemory } from '../../platform/give-back-memory.ts'
import { answerRequests, type StoreThreadSetup } from './answer-requests.ts'

answerRequests(parentPort!, workerData as StoreThreadSetup)
// Here, since a thread that is terminated keeps nothing: the next start then needs no type stripper.
flushCompileCache()
giveBackMemory()
