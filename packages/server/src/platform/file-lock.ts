// platform/file-lock.ts: a lock on a file that one process holds for as long as it lives: the kernel releases
// it however the process ends, so there is never a stale lock to clean up. Node.js has no file locks, so this
// uses the one that SQLite takes for an exclusive transaction.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from './make-private-file.ts'

const busy = 5
const full = 13

/** Another process, or another lock in this process, holds it. */
export class LockHeldError extends Error {
  readonly code = 'EAGAIN'
}

export class FileLock implements Disposable {
  readonly #database: DatabaseSync

  /**
   * Waits up to waitMs, blocking the thread. Throws a LockHeldError if the lock is still held then, or an
   * error with a file system code if the file cannot be used.
   */
  constructor(path: string, waitMs = 0) {
    makePrivateFile(path)
    const database = open(path, { timeout: waitMs })
    try {
      // Nothing is ever written to the database, so a journal on disk would only be another file.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      if (isBusy(error)) throw new LockHeldError(`${path} is locked`, { cause: error })
      throw asFileError(error)
    }
    this.#database = database
  }

  /**
   * Whether a process holds it now. The test takes a shared lock for some microseconds: a process that
   * acquires the lock meanwhile must be prepared to wait that long.
   */
  static isHeld(path: string): boolean {
    if (!existsSync(path)) return false
    const database = open(path, { readOnly: true })
    try {
      database.prepare('SELECT 1 FROM sqlite_schema').get()
      return false
    } catch (error) {
      if (isBusy(error)) return true
      throw asFileError(error)
    } finally {
      database.close()
    }
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }
}

function open(path: string, options: { timeout: number } | { readOnly: boolean }): DatabaseSync {
  try {
    return new DatabaseSync(path, options)
  } catch (error) {
    throw asFileError(error)
  }
}

function isBusy(error: unknown): boolean {
  return primaryCode(error) === busy
}

function asFileError(error: unknown): Error {
  const code = primaryCode(error) === full ? 'ENOSPC' : 'EIO'
  return Object.assign(new Error((error as Error).message, { cause: error }), { code })
}

/** Without the extended code in SQLite's higher bits. */
function primaryCode(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff
}
