// api/v2/words-of-v2.ts: translates problems found before a v2 operation is known (host, path, HTTP itself)
// by code that serves every API version. They get the code and members that v2 has for them.
import type { ProblemCode, v2 } from '@pulseward/contract'
import { ApiError, type ProblemError } from '../../requests/problem.ts'
import { V2Problem } from '../../requests/v2-problem.ts'

const counterparts: Partial<Record<ProblemCode, v2.ProblemCode>> = {
  misdirected_request: 'misdirectedRequest',
  invalid_request: 'invalidParameter',
  request_timeout: 'requestTimeout',
  payload_too_large: 'bodyTooLarge',
  header_fields_too_large: 'headersTooLarge',
}

export function inWordsOfV2(problem: ProblemError): V2Problem {
  if (problem instanceof V2Problem) return problem
  const code = problem instanceof ApiError ? counterparts[problem.code] : undefined
  const { message: detail, retryAfterSeconds, cause } = problem
  return new V2Problem(code ?? 'internalError', detail, { retryAfterSeconds, cause })
}
