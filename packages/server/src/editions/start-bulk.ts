// editions/start-bulk.ts: starts the thread for operations of many items.
import { Worker } from 'node:worker_threads'
import type { BulkThreadSetup } from '../bulk/serve-work.ts'

/** The young generation of its heap: an upload of 4 MiB creates about 10 MiB of short-lived objects. */
const threadMemory = { maxYoungGenerationSizeMb: 16 }

export function startBulkThread(setup: BulkThreadSetup): Worker {
  return new Worker(new URL('bulk-thread.ts', import.meta.url), {
    workerData: setup,
    resourceLimits: threadMemory,
    name: 'bulk',
  })
}
