// api/gate.ts: what happens to every request before its route is looked up: the headers that all answers carry, whether
// it was meant for this service, a browser's preflight request, and authentication.
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isLoopback } from '../config/settings/listen-address.ts'
import type { Clock } from '../platform/clock.ts'
import { Authentication, challengeFor, isForMachines, type PrincipalGate } from './authentication.ts'
import { TrustedProxies } from './client-address.ts'
import { addVary } from './compression.ts'
import { AllowedOrigins } from './cors.ts'
import { HostCheck, type OwnNames } from './host-check.ts'
import { ApiError, sendProblem } from './problem.ts'
import { isV2, pathOf } from './request-path.ts'
import { inWordsOfV2 } from './v2/words-of-v2.ts'
import { WrongGuesses } from './wrong-guesses.ts'

export interface GateOptions extends Omit<OwnNames, 'listen'> {
  readonly listen: { readonly host: string }
  readonly token: string | null
  readonly clock: Clock
  readonly proxies?: readonly string[]
  readonly origins?: readonly string[]
  /** Null in an edition that does not serve v2. */
  readonly principals?: PrincipalGate | null
  /** Requests that are answered to whoever asks, because the answer holds no data, or that are judged elsewhere. */
  readonly isOpen?: (request: FastifyRequest, path: string) => boolean
}

export class Gate {
  readonly #hosts: HostCheck
  readonly #authentication: Authentication | null
  readonly #guesses: WrongGuesses
  readonly #principals: PrincipalGate | null
  readonly #isOpen: (request: FastifyRequest, path: string) => boolean
  readonly #proxies: TrustedProxies
  readonly #origins: AllowedOrigins

  constructor({
    listen,
    token,
    clock,
    proxies = [],
    origins = [],
    principals = null,
    isOpen = () => false,
    ...names
  }: GateOptions) {
    // Beyond this machine, an edition with principals asks for one of them where v1 has no token.
    const needsCredential = token !== null || (principals !== null && !isLoopback(listen.host))
    this.#principals = principals
    this.#isOpen = isOpen
    this.#guesses = new WrongGuesses(clock)
    this.#hosts = new HostCheck({ ...names, listen: listen.host }, needsCredential)
    this.#authentication = needsCredential ? new Authentication(token, this.#guesses, principals) : null
    this.#proxies = new TrustedProxies(proxies)
    this.#origins = new AllowedOrigins(origins)
  }

  /** Whether the request may go on; if not, it has been answered. Only a wrong guess has to wait for its answer. */
  admit(request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> {
    setCommonHeaders(reply)
    const path = pathOf(request)
    const refusal = this.#hosts.refusalOf(request.raw)
    if (refusal !== null) {
      sendProblem(reply, this.#principals !== null && isV2(path) ? inWordsOfV2(refusal) : refusal)
      return false
    }
    return !this.#answerOtherOrigin(request, reply, path) && this.#authenticate(request, reply, path)
  }

  /** Browsers send no credentials with their question, so it is answered before they are required. */
  #answerOtherOrigin(request: FastifyRequest, reply: FastifyReply, path: string): boolean {
    if (!this.#origins.any || !isForMachines(path)) return false
    addVary(reply, 'Origin')
    const { origin } = request.headers
    const preflight = request.method === 'OPTIONS' ? this.#origins.preflightFor(origin) : null
    reply.headers(preflight ?? this.#origins.headersFor(origin))
    if (preflight !== null) reply.code(204).send()
    return preflight !== null
  }

  /** Asks for the login that reads v1, whatever the path is. Whether the request brought it; if not, it has been answered. */
  admitLogin(request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> {
    if (this.#authentication === null || this.#principals?.sessionReadsV1(request.raw)) return true
    const decision = this.#authentication.check(request.headers.authorization, this.#peerOf(request.raw))
    return decision.allowed || this.#refuse(request, reply, decision)
  }

  /**
   * Whether the request carries the login that reads v1. Then it must not be answered with 401, whatever else it lacks: a
   * browser would take that for a refusal of the login, and forget it.
   */
  hasLogin({ headers: { authorization = '' } }: FastifyRequest): boolean {
    return this.#authentication?.accepts(authorization) ?? false
  }

  /** Has a client that presented a wrong token wait for the answer. */
  delayGuess(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return delayAnswer(request, reply, this.#guesses.delayMs(this.#peerOf(request.raw)))
  }

  #authenticate(request: FastifyRequest, reply: FastifyReply, path: string): boolean | Promise<boolean> {
    // v2 asks for its own principals, where the operation is known.
    if (this.#principals !== null && isV2(path)) return true
    return this.#isOpen(request, path) || this.admitLogin(request, reply)
  }

  #peerOf({ socket, headers }: FastifyRequest['raw']): string {
    return this.#proxies.clientOf(socket.remoteAddress ?? '', textOf(headers['x-forwarded-for']))
  }

  async #refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: { readonly delayMs: number; readonly detail: string },
  ): Promise<false> {
    await delayAnswer(request, reply, refusal.delayMs)
    reply.header('www-authenticate', challengeFor(pathOf(request)))
    sendProblem(reply, new ApiError('unauthorized', refusal.detail))
    return false
  }
}

async function delayAnswer(request: FastifyRequest, reply: FastifyReply, delayMs: number): Promise<void> {
  if (delayMs === 0) return
  // Guesses that wait cost memory: a connection gets one at a time, and its last.
  request.socket.pause()
  reply.header('connection', 'close')
  await delay(delayMs)
}

const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

function setCommonHeaders(reply: FastifyReply): void {
  reply.headers(commonHeaders).header('x-request-id', reply.request.id)
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header
}
