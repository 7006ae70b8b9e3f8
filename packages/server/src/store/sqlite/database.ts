// store/sqlite/database.ts: opens the store of a data directory for its owner, or creates one. A new store gets its name
// only when it is complete, so that an unreadable file of that name is never mistaken for a new store.
import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../deciding/health/health.ts'
import { makePrivateFile } from '../../platform/make-private-file.ts'
import { putInPlace } from '../../platform/replace-file.ts'
import type { DataDirectory } from '../data-directory.ts'
import { StoreError } from '../store.ts'
import { movedError, storeError } from '../store-errors.ts'
import { bringForward, requireReadable } from './format.ts'
import { movedIn, takeMarkBack } from './moved-mark.ts'
import { raiseEpoch } from './resource-figures.ts'
import { lastChangeIn } from './resource-table.ts'
import { resourcesSince } from './resource-verification.ts'

const busyTimeoutMs = 5_000
const pageBytes = 8_192
const cacheKib = 8_192
const writeAheadLogLimitBytes = 32 * 1024 * 1024
/** Pages that are rewritten often are checkpointed once per this many pages, and not with every other commit. */
const checkpointPages = writeAheadLogLimitBytes / pageBytes

/**
 * Tables that every start reads as a whole, and so checks as a whole; events and resources are checked as
 * they are read, and by verify.
 */
const tablesOfTheStart = [
  'log',
  'event_heads',
  'action',
  'identity_block',
  'state',
  'counter_block',
  'slo',
  'dead_destinations',
  'store_identity',
  'label_set',
  'resource_figures',
]

/** Refuses a store with resources if the service does not serve them: it would treat them as removed. */
export function openDatabase(files: DataDirectory, servesResources = true): DatabaseSync {
  if (!existsSync(files.database)) createDatabase(files)
  const database = new DatabaseSync(files.database, { timeout: busyTimeoutMs })
  try {
    // A damaged file must not be written to, not even to switch it to the write-ahead log.
    const format = requireReadable(database)
    if (format === 0) throw storeError('corrupt', '(the file is empty)')
    const moved = movedIn(database)
    if (moved !== null) throw movedError(moved)
    if (!servesResources && hadResources(database, format)) throw storeError('managed')
    database.exec(`
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      PRAGMA cache_size = -${cacheKib}; PRAGMA journal_size_limit = ${writeAheadLogLimitBytes};
      PRAGMA wal_autocheckpoint = ${checkpointPages}
    `)
    bringForward(database)
    checkTables(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** For backup and verify, while an owner runs. */
export function openForReading(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs })
}

/** Tells the next process that the actions queued in this copy were queued at the time of the backup. */
export function markRestored(path: string, now: Instant): void {
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA synchronous = FULL')
    bringForward(database)
    database.exec('BEGIN IMMEDIATE')
    takeMarkBack(database)
    database.prepare('UPDATE log SET restored_at = ?').run(now)
    raiseEpoch(database)
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}

/** True even if all of them were deleted since: their history is in the store. */
function hadResources(database: DatabaseSync, format: number): boolean {
  return format >= resourcesSince && lastChangeIn(database) > 0
}

function createDatabase(files: DataDirectory): void {
  if (existsSync(files.restoring))
    throw storeError('gone', '(a restore was interrupted: run pulseward restore again)')
  if (existsSync(files.copying))
    throw new StoreError(
      'gone',
      `A copy of a store into this directory did not end; run pulseward store copy again, or remove ${files.copying} to begin with an empty store.`,
    )
  if (existsSync(files.writeAheadLog))
    throw storeError('gone', '(its last commits are there, but the database file is missing)')
  makeEmptyDatabase(files.unfinished)
  putInPlace(files.unfinished, files.database)
}

/** Replaces a file that is there. */
export function makeEmptyDatabase(path: string): void {
  rmSync(path, { force: true })
  makePrivateFile(path)
  const database = new DatabaseSync(path)
  try {
    database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA synchronous = FULL; PRAGMA journal_mode = MEMORY`)
    bringForward(database)
  } finally {
    database.close()
  }
}

function checkTables(database: DatabaseSync): void {
  for (const table of tablesOfTheStart) {
    const found = database.prepare(`PRAGMA quick_check('${table}')`).all()
    const problem = found.map((row) => String(row['quick_check'])).find((words) => words !== 'ok')
    if (problem !== undefined) throw storeError('corrupt', `(${problem})`)
  }
}
