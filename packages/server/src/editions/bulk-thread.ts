// editions/bulk-thread.ts: entry point of the thread that processes collections, over the store that the
// edition has opened.
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { type BulkThreadSetup, serveWork } from '../bulk/serve-work.ts'
import type { BesideAddress, StoreBeside } from '../store/beside.ts'
import { openPostgresBeside } from '../store/postgres/beside.ts'
import { openSqliteBeside } from '../store/sqlite/beside.ts'

serveWork(parentPort!, workerData as BulkThreadSetup, openBeside)

function openBeside(address: BesideAddress): StoreBeside {
  return address.mode === 'postgres' ? openPostgresBeside(address) : openSqliteBeside(address)
}

flushCompileCache()
