// crash/crash-worker.ts: a worker that is killed repeatedly: `node crash-worker.ts OPTIONS`, as JSON. Its
// handlers record on disk that they started and ended before anything else can know it.
import { appendFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import {
  check,
  completed,
  createWorker,
  delivered,
  failure,
  type Job,
  notification,
  recovery,
  success,
} from '@pulseward/worker'

export interface CrashWorkerOptions {
  readonly url: string
  readonly token: string
  readonly journal: string
  readonly audit: string
}

const longestMs = 300
const failingShare = 0.1

const { url, token, journal, audit }: CrashWorkerOptions = JSON.parse(process.argv[2] ?? '{}')

async function work({ executionID }: Job<unknown>): Promise<void> {
  appendFileSync(audit, `began ${executionID}\n`)
  await after(Math.random() * longestMs)
  appendFileSync(audit, `ended ${executionID}\n`)
}

const worker = createWorker({
  server: url,
  token,
  journal,
  handlers: {
    'crash-check@1': check({}, async (job) => {
      await work(job)
      return Math.random() < failingShare ? failure('it was time to fail') : success({})
    }),
    'crash-restart@1': recovery({}, async (job) => {
      await work(job)
      return completed()
    }),
    'crash-page@1': notification({}, async (job) => {
      await work(job)
      return delivered()
    }),
  },
  log: () => {},
})
await worker.start()
process.send?.('started')
process.disconnect?.()
