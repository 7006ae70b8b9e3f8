// api/session/serve-session.ts: signing in and out, and who is signed in, for the page. A token is exchanged for a session
// with a new id each time, and the one that the browser had before ends. Opened as a page, the path asks the browser for
// its own login (Basic, for reading), since the pages themselves do not ask for it in this edition.
import { type Session as SessionBody, SignIn, sessionLimits, sessionPath } from '@pulseward/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../access/sessions.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Gate } from '../gate.ts'
import { isNavigation } from '../other-paths.ts'
import { ProblemError, sendProblem } from '../problem.ts'
import { shapeMistakes } from '../v2/check-shape.ts'
import { isMediaType } from '../v2/media-type.ts'
import { parseStrictJson } from '../v2/strict-json.ts'
import { forgetCookie, hasSessionCookie, keepCookie, sessionIdIn } from './session-cookie.ts'
import type { SessionGate } from './session-gate.ts'
import { SessionProblem } from './session-problem.ts'

export interface SessionSurroundings {
  readonly gate: Gate
  readonly log: Log
}

export function serveSession(
  server: FastifyInstance,
  sessions: SessionGate,
  { gate, log }: SessionSurroundings,
): void {
  const errorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(reply, problemOf(error, request, log))
  const bodyLimit = sessionLimits.requestBodyBytes
  server.post(sessionPath, { bodyLimit, errorHandler }, async (request, reply) => {
    requireSafe(sessions, request)
    const opened = sessions.signIn(tokenIn(request), sessionIdIn(request.raw))
    if (typeof opened !== 'string') {
      reply.header('set-cookie', keepCookie(request.raw, opened.id, sessions.isEncrypted(request.raw)))
      return reply.send(bodyOf(opened))
    }
    if (opened === 'worker')
      throw new SessionProblem('forbidden', 'This is the token of a worker, which has nothing to see here.')
    await gate.delayGuess(request, reply)
    const why = opened === 'expired' ? 'The token has expired.' : 'The token is not one of a principal.'
    if (gate.hasLogin(request)) throw new SessionProblem('forbidden', why)
    return sendSignedOut(reply, 'unauthorized', why)
  })
  server.get(sessionPath, { errorHandler }, async (request, reply) => {
    if (isNavigation(request)) {
      if (await gate.admitLogin(request, reply)) reply.redirect(wayBack(request), 303)
      return reply
    }
    const session = sessions.sessionOf(request.raw)
    if (session !== null) return reply.send(bodyOf(session))
    const hasEnded = hasSessionCookie(request.raw)
    if (hasEnded) reply.header('set-cookie', forgetCookie(request.raw, sessions.isEncrypted(request.raw)))
    const why = hasEnded ? 'The session has ended; sign in again.' : 'Nobody is signed in.'
    if (gate.hasLogin(request)) throw new SessionProblem('no_session', why)
    return sendSignedOut(reply, hasEnded ? 'session_ended' : 'unauthorized', why)
  })
  server.delete(sessionPath, { bodyLimit, errorHandler }, (request, reply) => {
    requireOwnPage(sessions, request)
    const id = sessionIdIn(request.raw)
    if (id !== null) sessions.sessions.end(id)
    reply.header('set-cookie', forgetCookie(request.raw, sessions.isEncrypted(request.raw)))
    return reply.code(204).send()
  })
}

/** Any other method. */
export function refuseSessionMethod(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed = 'GET, HEAD, POST, DELETE'
  reply.header('allow', allowed)
  const detail = `${request.method} is not allowed here; use ${allowed}.`
  return sendProblem(reply, new SessionProblem('method_not_allowed', detail))
}

function bodyOf({ principal: { name, role }, csrf }: Session): SessionBody {
  return { name, role, csrf }
}

/** Bearer: at another challenge the browser would open its own login over the page. */
function sendSignedOut(
  reply: FastifyReply,
  code: 'unauthorized' | 'session_ended',
  detail: string,
): FastifyReply {
  reply.header('www-authenticate', 'Bearer realm="pulseward"')
  return sendProblem(reply, new SessionProblem(code, detail))
}

function requireSafe(sessions: SessionGate, request: FastifyRequest): void {
  if (!sessions.isSecure(request.raw))
    throw new SessionProblem(
      'insecure_transport',
      'Signing in needs https, through a configured proxy or a certificate of the service, or a browser on this machine.',
    )
  requireOwnPage(sessions, request)
}

/** Browsers say where a page that sends this comes from; programs need not. */
function requireOwnPage(sessions: SessionGate, { raw }: FastifyRequest): void {
  if (raw.headers.origin !== undefined && !sessions.isOwnOrigin(raw))
    throw new SessionProblem(
      'origin_not_allowed',
      'Only pages of this service may do this; if this is one, set public_url to its address.',
    )
}

/** What was sent is never repeated in a refusal: it may be a token. */
function tokenIn({ body, headers }: FastifyRequest): string {
  // Exactly: other types may be sent by pages of other origins without asking.
  if (!isMediaType(headers['content-type'], 'application/json'))
    throw new SessionProblem('unsupported_media_type', 'Content-Type must be application/json.')
  const read = parseStrictJson(body instanceof Uint8Array ? body : new Uint8Array())
  if ('mistakes' in read || shapeMistakes(SignIn, read.value).length > 0)
    throw new SessionProblem('invalid_request', 'The body must be {"token": "…"} and nothing else.')
  return (read.value as SignIn).token
}

/** Where the page was, as `to` says; only within this service. */
function wayBack({ raw }: FastifyRequest): string {
  const here = 'http://here.invalid'
  const to = URL.parse(raw.url ?? '', here)?.searchParams.get('to') ?? '/'
  const url = URL.parse(to, here)
  if (url === null || url.origin !== here || url.pathname.startsWith('//')) return '/'
  return url.pathname === sessionPath ? '/' : `${url.pathname}${url.search}`
}

function problemOf(error: FastifyError, request: FastifyRequest, log: Log): ProblemError {
  if (error instanceof ProblemError) return error
  const { statusCode = 500 } = error
  const limit = `The body may have at most ${sessionLimits.requestBodyBytes} bytes.`
  if (statusCode === 413) return new SessionProblem('payload_too_large', limit)
  if (statusCode === 415)
    return new SessionProblem('unsupported_media_type', 'Content-Type must be application/json.')
  if (statusCode >= 400 && statusCode < 500)
    return new SessionProblem('invalid_request', 'The request cannot be understood.')
  log.error({ error, requestId: request.id }, 'a request failed')
  return new SessionProblem('internal_error', 'Something went wrong; the log has more under this request id.')
}
