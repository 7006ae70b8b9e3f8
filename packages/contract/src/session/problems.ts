// session/problems.ts: the error codes of the session routes. Codes that v1 has too mean the same; the
// document format is v1's.
import type { Api } from '../operation.ts'
import { problems as v1Problems } from '../v1/problem.ts'

export const sessionProblems = {
  misdirected_request: v1Problems.misdirected_request,
  invalid_request: v1Problems.invalid_request,
  unauthorized: v1Problems.unauthorized,
  session_ended: { status: 401, title: 'The session has ended' },
  forbidden: { status: 403, title: 'This principal may not do this' },
  insecure_transport: { status: 403, title: 'Signing in needs an encrypted connection' },
  origin_not_allowed: { status: 403, title: 'Pages of this origin may not do this' },
  no_session: { status: 404, title: 'The login is right, and there is no session' },
  method_not_allowed: { status: 405, title: 'This path does not know this method' },
  request_timeout: v1Problems.request_timeout,
  payload_too_large: v1Problems.payload_too_large,
  unsupported_media_type: { status: 415, title: 'The body has the wrong content type' },
  header_fields_too_large: v1Problems.header_fields_too_large,
  internal_error: v1Problems.internal_error,
  unavailable: v1Problems.unavailable,
} as const satisfies Api['problems']

export type SessionProblemCode = keyof typeof sessionProblems

/** Codes that every session route may answer with. */
export const commonSessionProblems = [
  'misdirected_request',
  'invalid_request',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'header_fields_too_large',
  'internal_error',
] as const satisfies readonly SessionProblemCode[]
