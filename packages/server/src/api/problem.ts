// api/problem.ts: errors of the API as values with a code of the catalogue; the one place where they become
// HTTP. Whatever is not one of ours is an internal error, and its words stay in the log.
import { type Problem, type ProblemCode, problemMediaType, problems } from '@pulseward/contract'
import type { FastifyReply } from 'fastify'

export interface FieldError {
  readonly field: string
  readonly message: string
}

export class ApiError extends Error {
  readonly code: ProblemCode
  readonly fields: readonly FieldError[]
  constructor(code: ProblemCode, detail: string, fields: readonly FieldError[] = []) {
    super(detail)
    this.name = 'ApiError'
    this.code = code
    this.fields = fields
  }
}

export function sendProblem(reply: FastifyReply, { code, message, fields }: ApiError): FastifyReply {
  const { status, title } = problems[code]
  const problem: Problem = {
    type: `urn:pulseward:problem:${code}`,
    title,
    status,
    detail: message,
    code,
    request_id: reply.request.id,
    ...(fields.length > 0 ? { errors: [...fields] } : {}),
  }
  // Serialised here: fastify would add a charset of its own to the media type.
  return reply.code(status).type(problemMediaType).send(JSON.stringify(problem))
}
