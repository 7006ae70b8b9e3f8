// store/sqlite/owner-lock.ts: one owner per data directory: an exclusive transaction held on a file of its own. The
// kernel releases it when the process dies, however it dies, so there is never a stale lock to clean up.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from '../data-directory.ts'
import { asStoreError, storeError } from './sqlite-errors.ts'

const busy = 5

export class OwnerLock {
  readonly #database: DatabaseSync

  /**
   * Throws a StoreError 'locked' when another process, or another store of this one, still holds it after the wait, which
   * blocks the thread.
   */
  constructor(path: string, waitMs = 0) {
    makePrivateFile(path)
    this.#database = new DatabaseSync(path, { timeout: waitMs })
    try {
      // Nothing is ever written to it; a journal on disk would only be one more file.
      this.#database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    } catch (error) {
      this.#database.close()
      if ((error as { errcode?: number }).errcode !== busy) throw asStoreError(error)
      throw storeError('locked', 'Stop it first, or choose another directory with --data.', error)
    }
  }

  /**
   * Whether a process holds it now. The look itself takes a shared lock for some microseconds: a process that wants the
   * lock in the meantime has to be ready to wait that long.
   */
  static isHeld(path: string): boolean {
    if (!existsSync(path)) return false
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      database.prepare('SELECT 1 FROM sqlite_schema').get()
      return false
    } catch (error) {
      if ((error as { errcode?: number }).errcode === busy) return true
      throw asStoreError(error)
    } finally {
      database.close()
    }
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }
}
