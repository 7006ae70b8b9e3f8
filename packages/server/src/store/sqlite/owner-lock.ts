// store/sqlite/owner-lock.ts: one owner per data directory, by a lock on a dedicated file.
import { FileLock, LockHeldError } from '../../platform/file-lock.ts'
import { storeError, storeErrorOf } from '../store-errors.ts'

/** Throws a StoreError 'locked' if another process, or another store in this process, holds it. */
export function lockForOwner(path: string): Disposable {
  try {
    return new FileLock(path)
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw storeErrorOf(error)
    throw storeError('locked', 'Stop it first, or choose another directory with --data.', error)
  }
}
