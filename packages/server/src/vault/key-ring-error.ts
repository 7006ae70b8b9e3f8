// vault/key-ring-error.ts: what is wrong with the key file, in a sentence that ends with what to do. Never
// contains a key.
export type KeyRingProblem =
  /** It does not exist, although its keys seal stored values. */
  | 'missing'
  /** Valid, but it has none of the keys that seal stored values. */
  | 'wrong'
  | 'damaged'
  | 'empty'
  /** Other users of the machine may read or write it. */
  | 'exposed'
  /** It would be inside the data directory, and so in copies of it. */
  | 'inside'
  | 'unreadable'
  | 'unwritable'
  /** Another command is changing it. */
  | 'busy'
  /** Keys that were to be removed still wrap values. */
  | 'in-use'

export class KeyRingError extends Error {
  readonly code: KeyRingProblem
  constructor(code: KeyRingProblem, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'KeyRingError'
    this.code = code
  }
}

/** Such as ENOSPC. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'
}
