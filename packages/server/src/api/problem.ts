// api/problem.ts: errors of the API as values with a code from the catalogue of their version; the one place where they
// become HTTP. An error that is not one of ours is an internal error, and its message stays in the log.
import { type Problem, type ProblemCode, problemMediaType, problems } from '@pulseward/contract'
import type { Exchange } from './exchange.ts'

export interface FieldError {
  readonly field: string
  readonly message: string
}

/** An error that a client gets to see. Each version of the API has its own catalogue and its own document. */
export abstract class ProblemError extends Error {
  abstract readonly code: string
  /** When it is worth to ask again; null when that is not known. */
  abstract readonly retryAfterSeconds: number | null
  /** What else belongs to the answer. */
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

export function sendProblem(exchange: Exchange, error: ProblemError): void {
  const problem = error.documentFor(exchange.id)
  if (error.retryAfterSeconds !== null) exchange.setHeader('retry-after', String(error.retryAfterSeconds))
  exchange.setHeaders({ ...error.headers, 'content-type': problemMediaType })
  exchange.send(problem.status, JSON.stringify(problem))
}
