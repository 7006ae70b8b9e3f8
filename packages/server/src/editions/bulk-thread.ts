// editions/bulk-thread.ts: entry point of the thread that processes collections, over the store that the
// edition has opened.
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { type BulkThreadSetup, serveWork } from '../bulk/serve-work.ts'
import { openSqliteBeside } from '../store/sqlite/beside.ts'

const setup = workerData as BulkThreadSetup
const openBeside =
  setup.address.mode === 'postgres'
    ? (await import('../store/postgres/beside.ts')).openPostgresBeside
    : openSqliteBeside

serveWork(parentPort!, setup, openBeside)
flushCompileCache()
