// core/exchange.ts: one request, sent once, and its answer or an error. Redirects are refused, because they would take
// the token or a write elsewhere; nothing is ever sent again.
import { discard, readText } from './bounded-body.ts'
import { Deadline } from './deadline.ts'
import { errorCategory } from './error-category.ts'
import { errorClasses, type PulsewardError } from './errors.ts'
import { type Attempt, failure, neverLeft } from './failure.ts'
import { type Problem, parseProblem } from './problem.ts'
import type { PreparedRequest } from './request.ts'
import { envelopeOf } from './response.ts'
import type { Settings } from './settings.ts'

export interface Exchange {
  readonly attempt: Attempt
  readonly request: PreparedRequest
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** An error status that brings the data nevertheless. */
  readonly alsoAnswers?: number | undefined
}

/** Problems are short; what is longer is not worth reading. */
const maxProblemBytes = 1_048_576

/** Sends, and lets `take` have the answer while it can still be cancelled and the time still counts. */
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
      await discard(answer.body)
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

/** Browsers hide the status of a redirect that they did not follow. */
function isRedirect({ status, type, redirected }: globalThis.Response): boolean {
  return type === 'opaqueredirect' || redirected || (status >= 300 && status < 400)
}

/** The status alone decides; a body that cannot be read only means that there are no details. */
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

/** What an error shows of an answer. A service that repeats the token does not get it into our logs. */
export function knownOf(settings: Settings, answer: globalThis.Response) {
  const { statusCode, requestId, operationId, retryAfter } = envelopeOf(answer)
  return {
    statusCode,
    requestId: withoutToken(settings, requestId),
    operationId: withoutToken(settings, operationId),
    retryAfter,
  }
}

function withoutToken({ token }: Settings, text: string): string {
  return token !== null && text.includes(token) ? '' : text
}

function codeIn(problem: Problem | null): string {
  const code = problem?.code ?? ''
  return /^[A-Za-z][A-Za-z_]{0,63}$/.test(code) ? code : ''
}

export function isText({ headers }: globalThis.Response): boolean {
  return /^text\/plain\b/i.test(headers.get('Content-Type') ?? '')
}

export function isJson({ headers }: globalThis.Response): boolean {
  return /^application\/json\b/i.test(headers.get('Content-Type') ?? '')
}

async function readProblem(answer: globalThis.Response, maxBytes: number) {
  if (!/^application\/(problem\+)?json\b/i.test(answer.headers.get('Content-Type') ?? '')) {
    await discard(answer.body)
    return null
  }
  try {
    return parseProblem(await readText(answer.body, maxBytes))
  } catch {
    return null
  }
}
