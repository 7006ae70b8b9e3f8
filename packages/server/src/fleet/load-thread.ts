// fleet/load-thread.ts: the thread that reads large fleets and reloads; one request, one answer. The snapshot
// for the next start is written after the answer, when nothing waits for it.
import { parentPort, workerData } from 'node:worker_threads'
import { behindChecks, stepBack } from '../platform/thread-priority.ts'
import { type LoadRequest, load } from './load-arrangement.ts'

// A reload must not slow down checks.
stepBack()
const { answer, keep } = await load(workerData as LoadRequest)
parentPort!.postMessage(answer)
if (keep !== null) {
  stepBack(behindChecks)
  keep()
}
