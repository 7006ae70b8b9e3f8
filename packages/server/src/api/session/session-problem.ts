// api/session/session-problem.ts: errors of the session routes: their own codes, in the document of v1.
import { type Problem, type SessionProblemCode, sessionProblems } from '@pulseward/contract'
import { ProblemError, problemType } from '../../requests/problem.ts'

export class SessionProblem extends ProblemError {
  readonly code: SessionProblemCode
  readonly retryAfterSeconds = null
  override readonly headers: Readonly<Record<string, string>>

  constructor(code: SessionProblemCode, detail: string) {
    super(detail)
    this.name = 'SessionProblem'
    this.code = code
    const isSignedOut = code === 'unauthorized' || code === 'session_ended'
    // Bearer: at another challenge the browser would open its own login over the page.
    this.headers = isSignedOut ? { 'www-authenticate': 'Bearer realm="pulseward"' } : {}
  }

  documentFor(requestId: string): Problem {
    const { code, message } = this
    const { status, title } = sessionProblems[code]
    return { type: problemType(code), title, status, detail: message, code, request_id: requestId }
  }
}
