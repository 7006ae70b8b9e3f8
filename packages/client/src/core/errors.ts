// core/errors.ts: the errors, one class per category. Messages are our own: no message or stack, and nothing
// that a logger shows of an error, contains what was sent or free text of the service. What the service said
// is available as `error.problem`.
import type { ErrorCategory } from '../generated/figures.ts'
import type { Problem } from './problem.ts'

/** Why there is no usable answer. */
export type FailureReason =
  | 'cancelled'
  | 'timeout'
  | 'connectionFailed'
  | 'connectionLost'
  | 'answerCut'
  | 'malformedAnswer'
  | 'oversizedAnswer'
  | 'redirect'

export interface ErrorParts {
  /** The name of the method: `createMonitor`. */
  readonly operation: string
  readonly statusCode?: number
  readonly code?: string
  readonly requestId?: string
  readonly operationId?: string
  /** In seconds. */
  readonly retryAfter?: number | null
  readonly reason?: FailureReason
  readonly problem?: Problem | null
}

export abstract class PulsewardError extends Error {
  abstract readonly category: ErrorCategory
  readonly operation: string
  /** 0 if there was no answer. */
  readonly statusCode: number
  /** The stable code of the problem; empty if there is none. */
  readonly code: string
  readonly requestId: string
  readonly operationId: string
  readonly retryAfter: number | null
  readonly reason: FailureReason | null
  // Private, so that loggers do not find it: it may repeat what was sent.
  readonly #problem: Problem | null

  constructor(message: string, parts: ErrorParts) {
    super(message)
    this.operation = parts.operation
    this.statusCode = parts.statusCode ?? 0
    this.code = parts.code ?? ''
    this.requestId = parts.requestId ?? ''
    this.operationId = parts.operationId ?? ''
    this.retryAfter = parts.retryAfter ?? null
    this.reason = parts.reason ?? null
    this.#problem = parts.problem ?? null
  }

  override get name(): string {
    return this.constructor.name
  }

  /** What the service said; null if it said nothing understandable. Do not log it together with what was sent. */
  get problem(): Problem | null {
    return this.#problem
  }

  toJSON(): object {
    const { name, message, category, operation, statusCode, code, requestId, operationId } = this
    const { retryAfter, reason } = this
    return {
      name,
      message,
      category,
      operation,
      statusCode,
      code,
      requestId,
      operationId,
      retryAfter,
      reason,
    }
  }
}

/** The resource is not in the expected state or version. */
export class ConflictError extends PulsewardError {
  readonly category = 'conflict'
}

export class NotFoundError extends PulsewardError {
  readonly category = 'notFound'
}

/** The service runs without this feature, or does not serve v2. */
export class UnavailableFeatureError extends PulsewardError {
  readonly category = 'unavailableFeature'
}

/** The operation or the cursor is no longer kept. */
export class ExpiredOperationError extends PulsewardError {
  readonly category = 'expiredOperation'
}

export class AuthenticationError extends PulsewardError {
  readonly category = 'authentication'
}

/** Refused by the service, or already by the client. */
export class InvalidInputError extends PulsewardError {
  readonly category = 'invalidInput'
}

/** The answer to a read is larger than the limit. */
export class OversizedResponseError extends PulsewardError {
  readonly category = 'oversizedResponse'
}

/** A write that may or may not have happened. It was sent once; look before you send it again. */
export class AmbiguousMutationError extends PulsewardError {
  readonly category = 'ambiguousMutation'
}

/** The service cannot answer now. */
export class UnavailableError extends PulsewardError {
  readonly category = 'unavailable'
}

/** The service was not reached, or its answer could not be read. */
export class TransportError extends PulsewardError {
  readonly category = 'transport'
}

/** The caller's signal ended the call. */
export class CancelledError extends PulsewardError {
  readonly category = 'cancelled'
}

export const errorClasses = {
  conflict: ConflictError,
  notFound: NotFoundError,
  unavailableFeature: UnavailableFeatureError,
  expiredOperation: ExpiredOperationError,
  authentication: AuthenticationError,
  invalidInput: InvalidInputError,
  oversizedResponse: OversizedResponseError,
  ambiguousMutation: AmbiguousMutationError,
  unavailable: UnavailableError,
  transport: TransportError,
  cancelled: CancelledError,
} as const satisfies Readonly<
  Record<ErrorCategory, new (message: string, parts: ErrorParts) => PulsewardError>
>
