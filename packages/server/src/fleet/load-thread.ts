// fleet/load-thread.ts: the thread in which large fleets and reloads are read; one request, one answer. What was read again
// is kept for the next start after that, when nobody waits for it.
import { parentPort, workerData } from 'node:worker_threads'
import { behindChecks, stepBack } from '../platform/thread-priority.ts'
import { type LoadRequest, load } from './load-arrangement.ts'

// A reload must not disturb what runs.
stepBack()
const { answer, keep } = await load(workerData as LoadRequest)
parentPort!.postMessage(answer)
if (keep !== null) {
  stepBack(behindChecks)
  keep()
}
