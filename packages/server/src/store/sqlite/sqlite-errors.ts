// store/sqlite/sqlite-errors.ts: translates SQLite errors to problems of the store.
import { StoreError, type StoreProblem } from '../store.ts'
import { storeError, storeErrorOf } from '../store-errors.ts'

/** By primary error code, the lower 8 bits of SQLite's codes. */
const problems: Readonly<Record<number, StoreProblem>> = {
  5: 'io', // BUSY
  6: 'io', // LOCKED
  7: 'io', // NOMEM
  8: 'io', // READONLY
  10: 'io', // IOERR
  11: 'corrupt', // CORRUPT
  13: 'full', // FULL
  14: 'io', // CANTOPEN
  15: 'io', // PROTOCOL
  26: 'corrupt', // NOTADB
}
/** The file was moved or removed under an open connection. */
const readonlyMoved = 1032

/** Translates any error that is about the store; others are returned unchanged. */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const { errcode } = error as { errcode?: number }
  if (errcode === undefined) return storeErrorOf(error)
  const problem = errcode === readonlyMoved ? 'gone' : problems[errcode & 0xff]
  return problem === undefined ? error : storeError(problem, `(${error.message})`, error)
}

export function withStoreErrors<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw asStoreError(error)
  }
}
