// core/exchange.ts: sends one request once, and returns its answer or an error. Redirects are refused,
// because they would send the token or a write elsewhere. Nothing is ever sent again.
import { isJson, isRedirect, knownOf, withoutToken } from './answer-head.ts'
import { discard, readText } from './bounded-body.ts'
import { Deadline } from './deadline.ts'
import { errorCategory } from './error-category.ts'
import { errorClasses, type PulsewardError } from './errors.ts'
import { type Attempt, failure, neverLeft } from './failure.ts'
import { type Problem, parseProblem } from './problem.ts'
import type { PreparedRequest } from './request.ts'
import type { Settings } from './settings.ts'

export interface Exchange {
  readonly attempt: Attempt
  readonly request: PreparedRequest
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** An error status whose answer contains the data nevertheless. */
  readonly alsoAnswers?: number | undefined
}

/** Problems are short; anything longer is not worth reading. */
const maxProblemBytes = 1_048_576

/** Sends, and passes the answer to `take` while it can still be cancelled and the timeout still runs. */
export async function exchange<Taken>(
  settings: Settings,
  { attempt, request, timeoutMs, signal, alsoAnswers }: Exchange,
  take: (answer: globalThis.Response, deadline: Deadline) => Promise<Taken>,
): Promise<Taken> {
  const deadline = new Deadline(timeoutMs, signal)
  try {
    if (deadline.isOver) throw failure(attempt, deadline.isOver, false)
    const answer = await send(settings, attempt, request, deadline)
    if (isRedirect(answer)) {
      discard(answer.body)
      throw failure({ ...attempt, answer: knownOf(settings, answer) }, 'redirect')
    }
    const bringsData = answer.ok || (answer.status === alsoAnswers && isJson(answer))
    if (!bringsData) throw await errorOf(settings, attempt, answer)
    return await take(answer, deadline)
  } finally {
    deadline.end()
  }
}

async function send(settings: Settings, attempt: Attempt, request: PreparedRequest, deadline: Deadline) {
  const { url, method, headers, body } = request
  try {
    return await settings.fetch(url, { method, headers, body, redirect: 'manual', signal: deadline.signal })
  } catch (error) {
    if (deadline.isOver) throw failure(attempt, deadline.isOver)
    throw neverLeft(error) ? failure(attempt, 'connectionFailed', false) : failure(attempt, 'connectionLost')
  }
}

/** The status alone decides. If the body cannot be read, only the details are missing. */
async function errorOf(
  settings: Settings,
  attempt: Attempt,
  answer: globalThis.Response,
): Promise<PulsewardError> {
  const { operation, isMutation } = attempt
  const known = knownOf(settings, answer)
  const problem = await readProblem(answer, Math.min(maxProblemBytes, settings.maxResponseBytes))
  const code = codeIn(problem)
  const category = errorCategory({
    status: answer.status,
    code,
    hasRetryAfter: known.retryAfter !== null,
    isMutation,
  })
  const shownCode = withoutToken(settings, code)
  const doubt = category === 'ambiguousMutation' ? '; the write may have happened' : ''
  const message = `${operation} was answered with ${answer.status}${shownCode && ` ${shownCode}`}${doubt}`
  return new errorClasses[category](message, { ...known, operation, problem, code: shownCode })
}

function codeIn(problem: Problem | null): string {
  const code = problem?.code ?? ''
  return /^[A-Za-z][A-Za-z_]{0,63}$/.test(code) ? code : ''
}

async function readProblem(answer: globalThis.Response, maxBytes: number) {
  if (!/^application\/(problem\+)?json\b/i.test(answer.headers.get('Content-Type') ?? '')) {
    discard(answer.body)
    return null
  }
  try {
    return parseProblem(await readText(answer.body, maxBytes))
  } catch {
    return null
  }
}
