// platform/file-lock.ts: a lock on a file that one process holds, as long as it lives: the kernel releases it however the
// process ends, so there is never a stale lock to clean up. Node.js has no such lock, but SQLite takes one for an exclusive
// transaction, so that is what it is.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from './make-private-file.ts'

const busy = 5
const full = 13

/** Another process, or another lock of this one, holds it. */
export class LockHeldError extends Error {
  readonly code = 'EAGAIN'
}

export class FileLock implements Disposable {
  readonly #database: DatabaseSync

  /**
   * Throws a LockHeldError when it is still held after the wait, which blocks the thread, and an error with a code of the
   * file system when the file cannot be used.
   */
  constructor(path: string, waitMs = 0) {
    makePrivateFile(path)
    const database = open(path, { timeout: waitMs })
    try {
      // Nothing is ever written to it; a journal on disk would only be one more file.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      if (isBusy(error)) throw new LockHeldError(`${path} is locked`, { cause: error })
      throw asFileError(error)
    }
    this.#database = database
  }

  /**
   * Whether a process holds it now. The look itself takes a shared lock for some microseconds: a process that wants the
   * lock in the meantime has to be ready to wait that long.
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

/** Without what SQLite adds in the higher bits. */
function primaryCode(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff
}
