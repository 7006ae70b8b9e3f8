// store/sqlite/answer-requests.ts: the store's side of its calls. The first opens the store and the last
// closes it; each is answered before the next is read.
import type { MessagePort } from 'node:worker_threads'
import { answeredBy, ThreadCalls } from '../../platform/thread-calls.ts'
import type { StoreBounds } from '../retention.ts'
import { storeErrorForm } from '../store-errors.ts'
import { StoreEngine } from './store-engine.ts'

export interface StoreThreadSetup {
  readonly directory: string
  readonly bounds: StoreBounds
  readonly servesResources: boolean
  readonly run: string
}

export type Method = Exclude<keyof StoreEngine, symbol | 'identity'>

export function answerRequests(port: MessagePort, { directory, ...options }: StoreThreadSetup): void {
  // After the answer: a thread whose port is closed has nothing left to do, and exits.
  const endSoon = () => queueMicrotask(() => port.close())
  let answerOpen = answeredBy({
    open() {
      try {
        const engine = new StoreEngine(directory, options)
        answerOpen = answeredBy(engine)
        return engine.identity
      } catch (error) {
        endSoon()
        throw error
      }
    },
  })
  const answer = (method: string, given: readonly unknown[]) => {
    if (method === 'close') endSoon()
    return answerOpen(method, given)
  }
  new ThreadCalls(port, { answer, errors: storeErrorForm })
}
