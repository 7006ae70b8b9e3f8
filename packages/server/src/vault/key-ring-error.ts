// vault/key-ring-error.ts: what is wrong with the key file, in a sentence that ends with what to do. Never holds a key.
export type KeyRingProblem =
  /** Not there, although values are sealed by its keys. */
  | 'missing'
  /** Sound, but it holds none of the keys that values are sealed by. */
  | 'wrong'
  | 'damaged'
  | 'empty'
  /** Other users of the machine may read or write it. */
  | 'exposed'
  /** It would lie inside the data directory, and so in copies of it. */
  | 'inside'
  | 'unreadable'
  | 'unwritable'
  /** Another command is changing it. */
  | 'busy'
  /** Values are still wrapped by keys that were to be removed. */
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
