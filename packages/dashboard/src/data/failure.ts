// data/failure.ts: why something could not be read, with one kind per look of the page. A resource that the
// edition does not serve is absent, which is not a fault.
import type { Problem } from '@pulseward/contract'

export type FailureKind =
  | 'signed-out'
  /** No answer, or one from something in between. */
  | 'unreachable'
  /** This edition does not serve it. */
  | 'absent'
  /** No such monitor or incident. */
  | 'not-found'
  /** The service cannot answer it now. */
  | 'unavailable'
  /** The request or the answer is invalid; retrying will not help. */
  | 'refused'

export class ReadFailure extends Error {
  readonly kind: FailureKind
  /** The API's own word for it. */
  readonly code: string | null
  readonly requestId: string | null

  constructor(kind: FailureKind, message: string, problem: Partial<Problem> = {}) {
    super(message)
    this.name = 'ReadFailure'
    this.kind = kind
    this.code = problem.code ?? null
    this.requestId = problem.request_id ?? null
  }
}

/** Whether the previous data is still worth showing, with its age. */
export function isPassing({ kind }: ReadFailure): boolean {
  return kind === 'unreachable' || kind === 'unavailable'
}

export function failureOf(status: number, problem: Partial<Problem>): ReadFailure {
  return new ReadFailure(kindOf(status, problem.code), problem.detail ?? wordsFor(status), problem)
}

const notFound: ReadonlySet<string | undefined> = new Set(['monitor_not_found', 'incident_not_found'])

function kindOf(status: number, code: string | undefined): FailureKind {
  if (status === 401) return 'signed-out'
  if (status === 404) return notFound.has(code) ? 'not-found' : 'absent'
  // A proxy answers without a problem document: the service was not reached.
  if (status >= 500 && code === undefined) return 'unreachable'
  if (status >= 500 || status === 408 || status === 429) return 'unavailable'
  return 'refused'
}

function wordsFor(status: number): string {
  return status >= 500 ? `Pulseward was not reached (${status}).` : `The request was refused (${status}).`
}
