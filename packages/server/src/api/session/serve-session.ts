// api/session/serve-session.ts: sign-in, sign-out and the current session, for the dashboard. A token or a one-time link is
// exchanged for a session with a new id each time; the browser's previous session ends. Opened as a page, the path triggers the browser's
// own login (Basic, for reading), since the pages of this edition do not ask for it.
import type { IncomingMessage } from 'node:http'
import {
  type Problem,
  type Session as SessionBody,
  type SessionProblemCode,
  SignIn,
  type SignInHelp,
  sessionLimits,
  sessionPath,
  sessionProblems,
  signInHelpPath,
} from '@pulseward/contract'
import type { Session } from '../../access/sessions.ts'
import { shapeMistakes } from '../../requests/check-shape.ts'
import { isMediaType } from '../../requests/media-type.ts'
import { ProblemError, problemType } from '../../requests/problem.ts'
import { parseStrictJson } from '../../requests/strict-json.ts'
import { StoreError } from '../../store/store.ts'
import { codingOf } from '../content-encoding.ts'
import type { Exchange } from '../exchange.ts'
import type { Gate } from '../gate.ts'
import { isNavigation } from '../other-paths.ts'
import type { Router } from '../router.ts'
import { forgetCookie, hasSessionCookie, keepCookie, sessionIdIn } from './session-cookie.ts'
import type { SessionGate } from './session-gate.ts'

export function serveSession(router: Router, sessions: SessionGate, gate: Gate): void {
  router.add('GET', sessionPath, (exchange) => tellSession(exchange, sessions, gate))
  router.add('POST', sessionPath, (exchange) => signIn(exchange, sessions, gate))
  router.add('DELETE', sessionPath, (exchange) => signOut(exchange, sessions))
  router.add('GET', signInHelpPath, (exchange) => tellHelp(exchange, sessions))
}

async function signIn(exchange: Exchange, sessions: SessionGate, gate: Gate): Promise<void> {
  const { request } = exchange
  const body = await bodyIn(exchange)
  requireSafe(sessions, request)
  requirePlainBody(exchange)
  const presented = signInIn(body, request.headers['content-type'])
  const before = sessionIdIn(request)
  const opened =
    'link' in presented
      ? sessions.signInByLink(presented.link, before)
      : sessions.signIn(presented.token, before)
  if (typeof opened !== 'string') {
    exchange.setHeader('set-cookie', keepCookie(request, opened.id, sessions.isEncrypted(request)))
    sendSession(exchange, opened)
    return
  }
  if (opened === 'program')
    throw new SessionProblem(
      'forbidden',
      'This is the token of a program, a worker or a probe, and programs cannot sign in.',
    )
  await gate.delayGuess(exchange)
  throw new SessionProblem(gate.hasLogin(exchange) ? 'forbidden' : 'unauthorized', whyNot[opened])
}

const whyNot = {
  unknown: 'The token is not one of a principal.',
  expired: 'The token has expired.',
  'no link':
    'The link was used before, or is older than ten minutes, or the service has restarted since. Run pulseward sign-in for another.',
}

function tellHelp(exchange: Exchange, sessions: SessionGate): void {
  const help: SignInHelp = { operator_token_file: sessions.operatorTokenFileFor(exchange.request) }
  exchange.sendJson(200, JSON.stringify(help))
}

async function tellSession(exchange: Exchange, sessions: SessionGate, gate: Gate): Promise<void> {
  const { request } = exchange
  if (isNavigation(exchange)) {
    if (!(await gate.admitLogin(exchange))) return
    exchange.setHeader('location', wayBack(request))
    exchange.send(303)
    return
  }
  const session = sessions.sessionOf(request)
  if (session !== null) {
    sendSession(exchange, session)
    return
  }
  const hasEnded = hasSessionCookie(request)
  if (hasEnded) exchange.setHeader('set-cookie', forgetCookie(request, sessions.isEncrypted(request)))
  const why = hasEnded ? 'The session has ended; sign in again.' : 'Nobody is signed in.'
  if (gate.hasLogin(exchange)) throw new SessionProblem('no_session', why)
  throw new SessionProblem(hasEnded ? 'session_ended' : 'unauthorized', why)
}

async function signOut(exchange: Exchange, sessions: SessionGate): Promise<void> {
  const { request } = exchange
  await bodyIn(exchange)
  requireOwnPage(sessions, request)
  const id = sessionIdIn(request)
  exchange.setHeader('set-cookie', forgetCookie(request, sessions.isEncrypted(request)))
  if (id !== null) await endForAll(sessions, id)
  exchange.send(204)
}

async function endForAll({ sessions }: SessionGate, id: string): Promise<void> {
  try {
    await sessions.end(id)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw new SessionProblem(
      'unavailable',
      'You are signed out here, but the store cannot be written, so another machine that takes over could still know the session. Revoke the token if that matters.',
    )
  }
}

/** They need no credential: one has its own, and the other holds no data. */
export function isSessionPath(path: string): boolean {
  return path === sessionPath || path === signInHelpPath
}

/** Refuses any other method. */
export function refuseSessionMethod(exchange: Exchange): never {
  const allowed = exchange.path === sessionPath ? 'GET, HEAD, POST, DELETE' : 'GET, HEAD'
  exchange.setHeader('allow', allowed)
  throw new SessionProblem('method_not_allowed', `${exchange.method} is not allowed here; use ${allowed}.`)
}

function sendSession(exchange: Exchange, { principal: { name, role }, csrf }: Session): void {
  exchange.sendJson(200, JSON.stringify({ name, role, csrf } satisfies SessionBody))
}

/** Read to its end before anything is checked, so that the connection can be reused. */
async function bodyIn(exchange: Exchange): Promise<Uint8Array> {
  const limit = sessionLimits.requestBodyBytes
  const read = await exchange.readBody(limit)
  if (read === 'too large')
    throw new SessionProblem('payload_too_large', `The body may have at most ${limit} bytes.`)
  if (read === 'broken off') throw new SessionProblem('invalid_request', 'The request cannot be understood.')
  return read
}

function requireSafe(sessions: SessionGate, request: IncomingMessage): void {
  const fault = sessions.transportFault(request)
  if (fault !== null) throw new SessionProblem('insecure_transport', fault)
  requireOwnPage(sessions, request)
}

/** Browsers name the origin of the page that sends this; programs need not. */
function requireOwnPage(sessions: SessionGate, request: IncomingMessage): void {
  if (request.headers.origin !== undefined && !sessions.isOwnOrigin(request))
    throw new SessionProblem(
      'origin_not_allowed',
      'Only pages of this service may do this; if this is one, set public_url to its address.',
    )
}

function requirePlainBody(exchange: Exchange): void {
  const coding = codingOf(exchange.headers['content-encoding'])
  if (coding === null) return
  exchange.setHeader('accept-encoding', 'identity')
  throw new SessionProblem(
    'unsupported_media_type',
    `The body is encoded as ${coding}; send it as it is, without Content-Encoding.`,
  )
}

/** A refusal never repeats what was sent: it may be a token. */
function signInIn(body: Uint8Array, contentType: string | undefined): SignIn {
  // Exactly this type: pages of other origins may send some other types without a preflight request.
  if (!isMediaType(contentType, 'application/json'))
    throw new SessionProblem('unsupported_media_type', 'Content-Type must be application/json.')
  const read = parseStrictJson(body)
  if ('mistakes' in read || shapeMistakes(SignIn, read.value).length > 0)
    throw new SessionProblem(
      'invalid_request',
      'The body must be {"token": "…"} or {"link": "…"}, and nothing else.',
    )
  return read.value as SignIn
}

/** The page to return to, from the parameter `to`; only within this service. */
function wayBack({ url }: IncomingMessage): string {
  const here = 'http://here.invalid'
  const to = URL.parse(url ?? '', here)?.searchParams.get('to') ?? '/'
  const back = URL.parse(to, here)
  if (back === null || back.origin !== here || back.pathname.startsWith('//')) return '/'
  return back.pathname === sessionPath ? '/' : `${back.pathname}${back.search}`
}

/** Errors of the session routes: their own codes, in v1's problem format. */
class SessionProblem extends ProblemError {
  readonly code: SessionProblemCode
  readonly retryAfterSeconds = null
  override readonly headers: Readonly<Record<string, string>>

  constructor(code: SessionProblemCode, detail: string) {
    super(detail)
    this.name = 'SessionProblem'
    this.code = code
    const isSignedOut = code === 'unauthorized' || code === 'session_ended'
    // Bearer: for any other challenge the browser would open its own login dialog over the page.
    this.headers = isSignedOut ? { 'www-authenticate': 'Bearer realm="pulseward"' } : {}
  }

  documentFor(requestId: string): Problem {
    const { code, message } = this
    const { status, title } = sessionProblems[code]
    return { type: problemType(code), title, status, detail: message, code, request_id: requestId }
  }
}
