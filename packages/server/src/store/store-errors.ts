// store/store-errors.ts: translates file system errors to problems of the store, in one sentence that says what to do.
import type { Moved } from './moving/movable-store.ts'
import { StoreError, type StoreProblem } from './store.ts'

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
  fenced: 'Another process has taken over the store, so this one ends; let only one use a data directory.',
  moved: 'The store was moved elsewhere; start with the one that it was moved to.',
  closed: 'The store is closed.',
}

const readOnly =
  'The data directory is on a read-only file system; mount that for writing, or choose another directory with --data.'

/** Translates a file system error; any other error is returned unchanged. */
export function storeErrorOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error
  if (code === 'EROFS') return new StoreError('io', `${readOnly} (EROFS)`, { cause: error })
  return storeError(systemProblems[code] ?? 'io', `(${message})`, error)
}

/** Runs work on files and throws its system errors as StoreErrors. */
export function withStoreErrors<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw storeErrorOf(error)
  }
}

/** How an error is sent to another thread. One without a problem is a mistake of ours, and keeps its stack. */
export const storeErrorForm = {
  pack(error: unknown): PackedError {
    const { message, stack } = error as Error
    const problem = error instanceof StoreError ? error.problem : null
    return { problem, message: problem === null ? (stack ?? message) : message }
  },
  unpack(packed: unknown): Error {
    const { problem, message } = packed as PackedError
    return problem === null ? new Error(message) : new StoreError(problem, message)
  },
}

interface PackedError {
  readonly problem: StoreProblem | null
  readonly message: string
}

export function storeError(problem: StoreProblem, details = '', cause?: unknown): StoreError {
  const message = details === '' ? advice[problem] : `${advice[problem]} ${details}`
  return new StoreError(problem, message, { cause })
}

export function movedError({ to, at }: Moved): StoreError {
  return new StoreError(
    'moved',
    `The store was moved to ${to} at ${new Date(at).toISOString()}, and goes on there; start with that one. If this one is to be used after all, run pulseward store reclaim: it then counts as a restored backup.`,
  )
}
