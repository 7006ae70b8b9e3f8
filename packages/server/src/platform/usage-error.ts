// platform/usage-error.ts: the program was called or set up wrongly. The message is one whole sentence for
// the person at the terminal; nothing has been started. The command ends with exit code 2.
export class UsageError extends Error {
  readonly code = 'usage'
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'UsageError'
  }
}
