// v1/problem.ts: errors as RFC 9457 problems, with one catalogue of stable codes.
import { type Static, Type } from 'typebox'
import { ActiveProcess } from './processes.ts'
import { field, Text } from './values.ts'

/** Every code that v1 answers with: its status and title. */
export const problems = {
  misdirected_request: { status: 421, title: 'This service does not answer to that host name' },
  unauthorized: { status: 401, title: 'Authentication is required' },
  not_found: { status: 404, title: 'There is nothing at this path' },
  api_version_not_served: { status: 404, title: 'This edition does not serve this version of the API' },
  monitor_not_found: { status: 404, title: 'There is no such monitor' },
  incident_not_found: { status: 404, title: 'There is no such incident' },
  method_not_allowed: { status: 405, title: 'This path is read-only' },
  invalid_request: { status: 400, title: 'The request cannot be understood' },
  invalid_parameter: { status: 400, title: 'A parameter is not allowed' },
  invalid_monitor_id: { status: 400, title: 'This is not the number of a monitor' },
  invalid_cursor: { status: 400, title: 'The cursor is not one of this list' },
  cursor_expired: { status: 410, title: 'The cursor points before what is kept' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  payload_too_large: { status: 413, title: 'The request is too large' },
  header_fields_too_large: { status: 431, title: 'The request headers are too large' },
  unavailable: { status: 503, title: 'The data is not available' },
  history_unavailable: { status: 503, title: 'The history cannot be read' },
  standby: { status: 503, title: 'This process stands by for another one' },
  overloaded: { status: 503, title: 'Too many requests are in flight' },
  internal_error: { status: 500, title: 'Something went wrong in the service' },
} as const

export type ProblemCode = keyof typeof problems

/** Codes that any operation may answer with. They do not include the 404 for a path that is not an operation. */
export const commonProblems = [
  'misdirected_request',
  'invalid_request',
  'unauthorized',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'header_fields_too_large',
  'internal_error',
] as const satisfies readonly ProblemCode[]

export const problemMediaType = 'application/problem+json'

export const FieldError = Type.Object(
  {
    field: field(Text, 'The parameter.'),
    message: field(Text, 'What is wrong with it.'),
  },
  { description: 'A mistake in the input.' },
)

export const Problem = Type.Object(
  {
    type: field(Text, 'urn:pulseward:problem: and the code.'),
    title: field(Text, 'The code in words.'),
    status: field(Type.Integer({ minimum: 400, maximum: 599 }), 'The status of the answer.'),
    detail: field(Text, 'What happened this time, for people.'),
    code: field(Type.String({ pattern: '^[a-z_]+$' }), 'What happened, for programs. Codes do not change.'),
    request_id: field(Text, 'The X-Request-ID of the answer.'),
    errors: Type.Optional(field(Type.Array(FieldError), 'The mistakes, for input errors.')),
    active: Type.Optional(ActiveProcess),
  },
  { description: 'An error, RFC 9457.' },
)

export type Problem = Static<typeof Problem>
