// store/sqlite/owner-lock.ts: one owner per data directory, by a lock on a file of its own.
import { FileLock, LockHeldError } from '../../platform/file-lock.ts'
import { storeError, storeErrorOf } from '../store-errors.ts'

/** Throws a StoreError 'locked' when another process, or another store of this one, has it. */
export function lockForOwner(path: string): Disposable {
  try {
    return new FileLock(path)
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw storeErrorOf(error)
    throw storeError('locked', 'Stop it first, or choose another directory with --data.', error)
  }
}
