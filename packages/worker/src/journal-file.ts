// journal-file.ts: opens the journal's file exclusively for this process. Every commit is on disk before it counts, so it
// survives a power cut. A file of another program, of a later version or in use by another process is refused and left
// untouched. Only its owner may read it: outcomes may contain details of the worker's network.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { WorkerError } from './worker-error.ts'

const formatVersion = 1
/** Marks the file as ours: "PWwj". */
const applicationID = 0x5057776a
/** SQLite's code for a file that another process has locked. */
const busy = 5
const ownerOnly = 0o600

const tables = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE executions (
    seq INTEGER PRIMARY KEY,
    execution TEXT NOT NULL,
    grant_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    state INTEGER NOT NULL,
    outcome TEXT,
    ending TEXT,
    receipt TEXT
  ) STRICT;
  PRAGMA application_id = ${applicationID};
  PRAGMA user_version = ${formatVersion};
`

export function openJournalFile(path: string): DatabaseSync {
  let database: DatabaseSync | null = null
  try {
    mkdirSync(dirname(resolve(path)), { recursive: true })
    // SQLite gives its auxiliary files the permissions of this one.
    if (!existsSync(path)) closeSync(openSync(path, 'a', ownerOnly))
    database = new DatabaseSync(path, { timeout: 0 })
    // Exclusive before the first read: the lock is held until the process ends, however it ends.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE')
    prepareTables(database, path)
    // Only now is the file known to be ours.
    keepToOwner(path)
    database.exec('COMMIT; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    return database
  } catch (error) {
    database?.close()
    throw error instanceof WorkerError ? error : inWords(path, error)
  }
}

function prepareTables(database: DatabaseSync, path: string): void {
  const read = (pragma: string) => Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma])
  const isEmpty = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] === 0
  if (isEmpty) {
    database.exec(tables)
    return
  }
  if (read('application_id') !== applicationID) {
    throw new WorkerError('journalUnusable', `${path} is not the journal of a worker. Name another file.`)
  }
  const version = read('user_version')
  if (version === formatVersion) return
  throw new WorkerError(
    'journalUnusable',
    `The journal ${path} has format ${version}, and this version of @pulseward/worker knows format ${formatVersion}. Run the version that wrote it.`,
  )
}

/** Restricts the permissions of a journal that others could read. Windows has no such permissions. */
function keepToOwner(path: string): void {
  if (process.platform === 'win32') return
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? ownerOnly
    if ((mode & 0o777) !== ownerOnly) tighten(file)
  }
}

function tighten(file: string): void {
  try {
    chmodSync(file, ownerOnly)
  } catch (cause) {
    throw new WorkerError(
      'journalUnusable',
      `Others can read ${file}, and its rights cannot be set to 0600. Give the file to the user that runs the worker, or name another one.`,
      { cause },
    )
  }
}

function inWords(path: string, error: unknown): WorkerError {
  const { errcode, message } = error as { errcode?: number; message: string }
  if (errcode === busy) {
    return new WorkerError(
      'journalInUse',
      `Another process has the journal ${path} open. Give each worker a journal of its own.`,
      { cause: error },
    )
  }
  return new WorkerError('journalUnusable', `The journal ${path} cannot be opened: ${message}.`, {
    cause: error,
  })
}
