// worker-error.ts: errors that stop a worker for good. The message is a whole sentence for the person who
// runs it and says what to do; it contains no secret and nothing that was sent.

export type WorkerErrorCode =
  /** An option of createWorker is wrong. */
  | 'invalidOptions'
  /** The journal cannot be opened, or has a format that this version does not know. */
  | 'journalUnusable'
  /** Another process has the journal open. */
  | 'journalInUse'
  /** The journal belongs to a different service from the one that answered. */
  | 'journalOfAnotherServer'
  /** The service answered with something that this version of the library does not understand. */
  | 'protocolMismatch'
  /** The health endpoint cannot listen on its address. */
  | 'healthUnavailable'

export class WorkerError extends Error {
  readonly code: WorkerErrorCode
  constructor(code: WorkerErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'WorkerError'
    this.code = code
  }
}
