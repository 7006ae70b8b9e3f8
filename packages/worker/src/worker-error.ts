// worker-error.ts: what stops a worker for good. The message is a whole sentence for the person who runs it and says what
// to do; nothing that was sent and no secret is in it.

export type WorkerErrorCode =
  /** An option of createWorker is wrong. */
  | 'invalidOptions'
  /** The journal cannot be opened, or is of a format that this version does not know. */
  | 'journalUnusable'
  /** Another process has the journal open. */
  | 'journalInUse'
  /** The journal belongs to another service than the one that answered. */
  | 'journalOfAnotherServer'
  /** The service answered with something that this version of the library does not understand. */
  | 'protocolMismatch'
  /** The address for the health endpoint cannot be used. */
  | 'healthUnavailable'

export class WorkerError extends Error {
  readonly code: WorkerErrorCode
  constructor(code: WorkerErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'WorkerError'
    this.code = code
  }
}
