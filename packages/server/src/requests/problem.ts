// requests/problem.ts: why a request is refused: an error with a code from the catalogue of its API version.
import { type Problem, type ProblemCode, problems } from '@pulseward/contract'

export interface FieldError {
  readonly field: string
  readonly message: string
}

/** An error that is sent to the client. Each version of the API has its own catalogue and document format. */
export abstract class ProblemError extends Error {
  abstract readonly code: string
  /** When it is worth asking again; null if unknown. */
  abstract readonly retryAfterSeconds: number | null
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>> = {}
  abstract documentFor(requestId: string): { readonly status: number }
}

export class ApiError extends ProblemError {
  readonly code: ProblemCode
  readonly fields: readonly FieldError[]
  readonly retryAfterSeconds: number | null
  constructor(
    code: ProblemCode,
    detail: string,
    fields: readonly FieldError[] = [],
    retryAfterSeconds: number | null = null,
    cause?: unknown,
  ) {
    super(detail, { cause })
    this.name = 'ApiError'
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }

  documentFor(requestId: string): Problem {
    const { code, fields, message } = this
    const { status, title } = problems[code]
    return {
      type: problemType(code),
      title,
      status,
      detail: message,
      code,
      request_id: requestId,
      ...(fields.length > 0 ? { errors: [...fields] } : {}),
    }
  }
}

export function problemType(code: string): string {
  return `urn:pulseward:problem:${code}`
}
