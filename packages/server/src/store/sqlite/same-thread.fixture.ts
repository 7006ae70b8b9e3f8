// store/sqlite/same-thread.fixture.ts: the store's side of the protocol in the thread of the test. Every
// message is still copied and arrives in a later turn of the event loop; it only saves starting the thread,
// which costs more than most tests of a store.
import { EventEmitter } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import type { Thread } from '../../platform/thread-calls.ts'
import { answerRequests, type StoreThreadSetup } from './answer-requests.ts'

export function inThisThread(setup: StoreThreadSetup): Thread {
  const { port1: near, port2: far } = new MessageChannel()
  const events = new EventEmitter<{ message: [reply: unknown]; exit: [] }>()
  near.on('message', (reply) => events.emit('message', reply))
  near.on('close', () => events.emit('exit'))
  answerRequests(far, setup)
  return Object.assign(events, { postMessage: (request: unknown) => near.postMessage(request) })
}
