// store/sqlite/owner-lock.ts: one owner per data directory: an exclusive transaction held on a file of its own. The
// kernel releases it when the process dies, however it dies, so there is never a stale lock to clean up.
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

  [Symbol.dispose](): void {
    this.#database.close()
  }
}
