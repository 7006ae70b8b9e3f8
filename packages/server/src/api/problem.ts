// api/problem.ts: errors of the API as values with a code from the catalogue; the one place where they become HTTP. An
// error that is not one of ours is an internal error, and its message stays in the log.
import { type Problem, type ProblemCode, problemMediaType, problems } from '@pulseward/contract'
import type { FastifyReply } from 'fastify'

export interface FieldError {
  readonly field: string
  readonly message: string
}

export class ApiError extends Error {
  readonly code: ProblemCode
  readonly fields: readonly FieldError[]
  /** When it is worth to ask again; null when that is not known. */
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
}

export function problemOf({ code, message, fields }: ApiError, requestId: string): Problem {
  const { status, title } = problems[code]
  return {
    type: `urn:pulseward:problem:${code}`,
    title,
    status,
    detail: message,
    code,
    request_id: requestId,
    ...(fields.length > 0 ? { errors: [...fields] } : {}),
  }
}

export function sendProblem(reply: FastifyReply, error: ApiError): FastifyReply {
  const problem = problemOf(error, reply.request.id)
  if (error.retryAfterSeconds !== null) reply.header('retry-after', error.retryAfterSeconds)
  // As bytes: to a text fastify would add a charset, which this media type does not have.
  return reply
    .code(problem.status)
    .type(problemMediaType)
    .send(Buffer.from(JSON.stringify(problem)))
}
