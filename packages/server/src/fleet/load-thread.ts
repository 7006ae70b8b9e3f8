// fleet/load-thread.ts: the thread in which large fleets and reloads are read; one request, one answer.
import { parentPort, workerData } from 'node:worker_threads'
import { stepBack } from '../platform/thread-priority.ts'
import { answerLoad, type LoadRequest } from './load-arrangement.ts'

// A reload must not disturb what runs.
stepBack()
parentPort!.postMessage(await answerLoad(workerData as LoadRequest))
