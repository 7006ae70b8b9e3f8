// store/sqlite/sqlite-errors.ts: what SQLite and the file system say, as problems of the store in one sentence
// that says what to do.
import { StoreError, type StoreProblem } from '../store.ts'

/** The lower 8 bits of SQLite's error codes. */
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

const systemProblems: Readonly<Record<string, StoreProblem>> = { ENOSPC: 'full', EDQUOT: 'full' }

const advice: Readonly<Record<StoreProblem, string>> = {
  full: 'The disk of the data directory is full; free some space.',
  io: 'The data directory cannot be read or written.',
  gone: 'The store was moved or removed while it was in use; put it back or restore a backup, then restart.',
  corrupt: 'The store is damaged; restore a backup with pulseward restore FILE --data DIR.',
  newer_format: 'The store was written by a newer version of Pulseward; use that version.',
  managed:
    'The store has resources that are managed through v2, which only the edition next checks; start with --edition next.',
  locked: 'Another process owns the data directory.',
  closed: 'The store is closed.',
}

const readOnly =
  'The data directory is on a read-only file system; mount that for writing, or choose another directory with --data.'

/** Anything that was thrown while working with the store; what is not about the store stays as it is. */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const problem = problemOf(error as Error & { errcode?: number; code?: string })
  if ((error as NodeJS.ErrnoException).code === 'EROFS')
    return new StoreError('io', `${readOnly} (EROFS)`, { cause: error })
  return problem === null ? error : storeError(problem, `(${error.message})`, error)
}

export function storeError(problem: StoreProblem, details = '', cause?: unknown): StoreError {
  const message = details === '' ? advice[problem] : `${advice[problem]} ${details}`
  return new StoreError(problem, message, { cause })
}

function problemOf({ errcode, code }: { errcode?: number; code?: string }): StoreProblem | null {
  if (errcode !== undefined) return errcode === readonlyMoved ? 'gone' : (problems[errcode & 0xff] ?? null)
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return null
  return systemProblems[code] ?? 'io'
}
