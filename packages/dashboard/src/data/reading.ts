// data/reading.ts: what is known about a resource. Unavailable is a separate kind, never an empty body: code
// that shows a reading must decide what to show without it.
import { isPassing, ReadFailure } from './failure.ts'

export type Reading<Body> = Available<Body> | Unavailable

export interface Available<Body> {
  readonly available: true
  readonly body: Body
  /** By the browser's clock. */
  readonly readAtMs: number
  /** Why it could not be refreshed since; null while it is current. */
  readonly stale: ReadFailure | null
  /** The answer to the previous request (another page or filter), while the next one is in flight. */
  readonly isPrevious: boolean
}

export type Unavailable =
  | { readonly available: false; readonly reason: 'loading' }
  | { readonly available: false; readonly reason: ReadFailure['kind']; readonly failure: ReadFailure }

export interface QueryOutcome<Body> {
  readonly data: Body | undefined
  readonly error: unknown
  readonly dataUpdatedAt: number
  readonly isPlaceholderData: boolean
}

export function readingOf<Body>(outcome: QueryOutcome<Body>): Reading<Body> {
  const failure = outcome.error === null ? null : asFailure(outcome.error)
  if (failure !== null && (outcome.data === undefined || !isPassing(failure)))
    return { available: false, reason: failure.kind, failure }
  if (outcome.data === undefined) return { available: false, reason: 'loading' }
  return {
    available: true,
    body: outcome.data,
    readAtMs: outcome.dataUpdatedAt,
    stale: failure,
    isPrevious: outcome.isPlaceholderData,
  }
}

/** The body, for parts that can do without it. */
export function bodyOf<Body>(reading: Reading<Body>): Body | null {
  return reading.available ? reading.body : null
}

function asFailure(error: unknown): ReadFailure {
  if (error instanceof ReadFailure) return error
  return new ReadFailure('refused', 'The answer could not be understood.')
}
