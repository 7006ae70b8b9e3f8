// api/gate.ts: what happens to every request before its route is looked up: the host check, CORS preflight,
// and authentication.
import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../config/settings/listen-address.ts'
import type { Clock } from '../platform/clock.ts'
import { ApiError } from '../requests/problem.ts'
import { Authentication, challengeFor, isForMachines, type PrincipalGate } from './authentication.ts'
import { TrustedProxies } from './client-address.ts'
import { clientKey } from './client-key.ts'
import { AllowedOrigins } from './cors.ts'
import { delayAnswer } from './delayed-answer.ts'
import type { Exchange } from './exchange.ts'
import { HostCheck, type OwnNames } from './host-check.ts'
import { isV2 } from './request-path.ts'
import { sendProblem } from './send-problem.ts'
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
  /** Requests that need no authentication here: their answer holds no data, or their route authenticates them. */
  readonly isOpen?: (exchange: Exchange) => boolean
}

export class Gate {
  readonly #hosts: HostCheck
  readonly #authentication: Authentication | null
  readonly #guesses: WrongGuesses
  readonly #principals: PrincipalGate | null
  readonly #isOpen: (exchange: Exchange) => boolean
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
    // If v1 has no token, an edition with principals still requires one of them beyond loopback.
    const needsCredential = token !== null || (principals !== null && !isLoopback(listen.host))
    this.#principals = principals
    this.#isOpen = isOpen
    this.#guesses = new WrongGuesses(clock)
    this.#hosts = new HostCheck({ ...names, listen: listen.host }, needsCredential)
    this.#authentication = needsCredential ? new Authentication(token, this.#guesses, principals) : null
    this.#proxies = new TrustedProxies(proxies)
    this.#origins = new AllowedOrigins(origins)
  }

  /** Whether the request may go on; if not, it has been answered. Only the answer to a wrong guess is delayed. */
  admit(exchange: Exchange): boolean | Promise<boolean> {
    const refusal = this.#hosts.refusalOf(exchange.request)
    if (refusal !== null) {
      const isOfV2 = this.#principals !== null && isV2(exchange.path)
      sendProblem(exchange, isOfV2 ? inWordsOfV2(refusal) : refusal)
      return false
    }
    return !this.#answerOtherOrigin(exchange) && this.#authenticate(exchange)
  }

  /** Browsers send no credentials with a preflight request, so it is answered before authentication. */
  #answerOtherOrigin(exchange: Exchange): boolean {
    if (!this.#origins.any || !isForMachines(exchange.path)) return false
    exchange.addVary('Origin')
    const { origin } = exchange.headers
    const preflight = exchange.method === 'OPTIONS' ? this.#origins.preflightFor(origin) : null
    exchange.setHeaders(preflight ?? this.#origins.headersFor(origin))
    if (preflight !== null) exchange.send(204)
    return preflight !== null
  }

  /** Requires the login that reads v1, whatever the path. False if the request lacks it and has been answered. */
  admitLogin(exchange: Exchange): boolean | Promise<boolean> {
    const { request, headers } = exchange
    if (this.#authentication === null || this.#principals?.sessionReadsV1(request)) return true
    const decision = this.#authentication.check(headers.authorization, this.#peerOf(request))
    return decision.allowed || this.#refuse(exchange, decision)
  }

  /**
   * Whether the request carries the login that reads v1. Such a request must not be answered with 401,
   * whatever else it lacks: the browser would take the login for refused and forget it.
   */
  hasLogin({ headers: { authorization = '' } }: Exchange): boolean {
    return this.#authentication?.accepts(authorization) ?? false
  }

  /** Delays the answer to a client that presented a wrong token. */
  delayGuess(exchange: Exchange): Promise<void> {
    return delayRefusal(exchange, this.#guesses.delayMs(this.#peerOf(exchange.request)))
  }

  #authenticate(exchange: Exchange): boolean | Promise<boolean> {
    if (this.#principals !== null && isV2(exchange.path)) return this.#admitToV2(exchange, this.#principals)
    return this.#isOpen(exchange) || this.admitLogin(exchange)
  }

  /** v2 refuses requests itself, once it knows the operation; here a wrong token only delays them. */
  #admitToV2(exchange: Exchange, principals: PrincipalGate): boolean | Promise<boolean> {
    return !principals.presentsWrongToken(exchange.request) || this.delayGuess(exchange).then(() => true)
  }

  #peerOf({ socket, headers }: IncomingMessage): string {
    const client = this.#proxies.clientOf(socket.remoteAddress ?? '', textOf(headers['x-forwarded-for']))
    return clientKey(client)
  }

  async #refuse(
    exchange: Exchange,
    refusal: { readonly delayMs: number; readonly detail: string },
  ): Promise<false> {
    await delayRefusal(exchange, refusal.delayMs)
    exchange.setHeader('www-authenticate', challengeFor(exchange.path))
    sendProblem(exchange, new ApiError('unauthorized', refusal.detail))
    return false
  }
}

function delayRefusal(exchange: Exchange, delayMs: number): Promise<void> {
  if (delayMs > 0) exchange.setHeader('connection', 'close')
  return delayAnswer(exchange.response, delayMs)
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header
}
