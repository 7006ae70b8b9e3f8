// v1/problem.ts: errors as RFC 9457 problems, with one catalogue of stable codes.
import { type Static, Type } from 'typebox'

/** Every code that v1 answers with: its status and title. */
export const problems = {
  unauthorized: { status: 401, title: 'Authentication is required' },
  not_found: { status: 404, title: 'There is nothing at this path' },
  api_version_not_served: { status: 404, title: 'This edition does not serve this version of the API' },
  method_not_allowed: { status: 405, title: 'This path is read-only' },
  invalid_request: { status: 400, title: 'The request cannot be understood' },
  invalid_parameter: { status: 400, title: 'A parameter is not allowed' },
  payload_too_large: { status: 413, title: 'The request is too large' },
  header_fields_too_large: { status: 431, title: 'The request headers are too large' },
  unavailable: { status: 503, title: 'The data is not available' },
  internal_error: { status: 500, title: 'Something went wrong in the service' },
} as const

export type ProblemCode = keyof typeof problems

export const problemMediaType = 'application/problem+json'

export const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String(),
  code: Type.String({ pattern: '^[a-z_]+$' }),
  request_id: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
})

export type Problem = Static<typeof Problem>
