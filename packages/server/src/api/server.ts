// api/server.ts: the HTTP listener. It applies what all routes share, in the order that the contract gives:
// host, authentication, then route, method, parameters, data. Routes only answer.
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { ListenAddress } from '../config/settings/listen-address.ts'
import type { ServerIdentity } from '../config/settings/server-identity.ts'
import type { Clock } from '../platform/clock.ts'
import { ApiError, ProblemError } from '../requests/problem.ts'
import type { Log } from '../telemetry/log.ts'
import type { SystemMeter } from '../telemetry/system-meter.ts'
import { Assets } from './assets.ts'
import { answerClientError, rememberAnswer } from './client-error.ts'
import type { ConnectionBounds } from './connection-limits.ts'
import type { EarlyListener } from './early-listener.ts'
import { Exchange } from './exchange.ts'
import { Gate } from './gate.ts'
import { createListener } from './http-listener.ts'
import { isAckPath, serveAck } from './on-call/serve-ack.ts'
import { isCalendarPath, serveCalendar } from './on-call/serve-calendar.ts'
import { type ApiServer, openListener } from './open-listener.ts'
import { answerOtherPath, assetFor } from './other-paths.ts'
import { isPracticePath, servePractice } from './practice-target.ts'
import type { PushPaths } from './push/serve-push.ts'
import { isV2 } from './request-path.ts'
import { RequestPermits } from './request-permits.ts'
import { usualLane } from './request-turns.ts'
import type { Route } from './route.ts'
import { type Place, Router } from './router.ts'
import { sendProblem } from './send-problem.ts'
import { serveV1 } from './serve-v1.ts'
import { isSessionPath, refuseSessionMethod, serveSession } from './session/serve-session.ts'
import type { StatusPaths } from './status/serve-status.ts'
import { UnreadAnswers, type UnreadLimits } from './unread-answers.ts'
import { refuseV2Path, serveV2, type V2Options } from './v2/serve-v2.ts'
import { inWordsOfV2 } from './v2/words-of-v2.ts'

export interface ApiOptions {
  readonly listen: ListenAddress
  readonly token: string | null
  readonly routes: readonly Route[]
  readonly clock: Clock
  readonly log: Log
  readonly meter: SystemMeter
  /** If set, the listener speaks TLS with it. */
  readonly identity?: ServerIdentity | null
  /** Addresses and networks whose X-Forwarded-For and X-Forwarded-Proto headers are trusted. */
  readonly proxies?: readonly string[]
  /** Other origins whose pages may read the API. */
  readonly origins?: readonly string[]
  /** The public address of the service, and other host names that it answers to while it needs no token. */
  readonly publicUrl?: string | null
  readonly allowedHosts?: readonly string[]
  readonly concurrentRequests?: number
  readonly unread?: UnreadLimits
  readonly connections?: ConnectionBounds
  readonly assets?: Assets
  /** Null in an edition that does not serve v2. */
  readonly v2?: V2Options | null
  /** Already open at `listen`; absent if it is opened now. */
  readonly listener?: EarlyListener | null
  /** The paths by which jobs report; without them, there is nothing at these. */
  readonly push?: PushPaths | null
  /** Absent in an edition without status pages. */
  readonly status?: StatusPaths | null
}

export type { ApiServer } from './open-listener.ts'

const defaultConcurrentRequests = 256
export async function startApi(options: ApiOptions): Promise<ApiServer> {
  const { listen, identity = null, listener = null } = options
  const answer = answerer(options)
  const upgrades = options.v2?.probes ?? null
  const laneOf = (request: IncomingMessage) => options.push?.laneOf(request) ?? usualLane
  if (listener !== null) return listener.serve({ answer, upgrades, laneOf })
  const server = createListener(
    identity,
    (request, response) => {
      rememberAnswer(response)
      answer(request, response)
    },
    options.connections,
    laneOf,
    () => upgrades,
  )
  const servesV2 = (options.v2 ?? null) !== null
  server.on('clientError', (error, socket: Socket) => answerClientError(error, socket, servesV2))
  return openListener(server, { listen, isSecure: identity !== null, setting: '--listen' })
}

function answerer(options: ApiOptions): RequestListener {
  const unread = new UnreadAnswers(options.unread)
  const answering = new Answering(options)
  return (request, response) => {
    if (options.status?.serve(request, response)) return
    if (options.push?.serve(request, response)) return
    void answering.answer(new Exchange(request, response, unread))
  }
}

class Answering {
  readonly #gate: Gate
  readonly #router = new Router()
  readonly #assets: Assets
  readonly #v2: V2Options | null
  readonly #log: Log

  constructor(options: ApiOptions) {
    const { routes, log, assets = Assets.plainPage(), v2 = null } = options
    this.#assets = assets
    this.#v2 = v2
    this.#log = log
    this.#gate = new Gate({
      ...options,
      principals: v2?.gate ?? null,
      // The pages hold no data, and people need them to sign in.
      isOpen: (exchange) =>
        v2 !== null &&
        (isSessionPath(exchange.path) ||
          isPracticePath(exchange.path) ||
          isAckPath(exchange.path) ||
          isCalendarPath(exchange.path) ||
          assetFor(exchange, assets) !== null),
    })
    const permits = new RequestPermits(options.concurrentRequests ?? defaultConcurrentRequests)
    serveV1(this.#router, routes, { permits, ...options })
    if (v2 === null) return
    serveSession(this.#router, v2.sessions, this.#gate)
    servePractice(this.#router, v2.practice)
    serveAck(this.#router, v2.ack)
    serveCalendar(this.#router, v2.calendar)
    serveV2(this.#router, v2, { permits, ...options })
  }

  /** Never rejects: every error becomes an answer. */
  async answer(exchange: Exchange): Promise<void> {
    try {
      const admitted = this.#gate.admit(exchange)
      // Most requests are admitted synchronously, and answered before the next one is read.
      if (typeof admitted === 'boolean' ? !admitted : !(await admitted)) return
      const { segments } = exchange.target
      if (segments === null) throw new ApiError('invalid_request', 'The request cannot be understood.')
      const place = this.#router.find(segments)
      const endpoint = place?.endpointFor(exchange.method)
      if (place && endpoint) await endpoint(exchange, place.parametersIn(segments))
      // A path with an empty segment in place of an id is refused like an unknown path.
      else this.#answerOtherPath(exchange, segments.includes('', 1) ? null : place)
    } catch (error) {
      this.#fail(exchange, error)
    }
  }

  #answerOtherPath(exchange: Exchange, place: Place | null): void {
    const { path } = exchange
    if (this.#v2 !== null && isV2(path)) refuseV2Path(this.#v2.gate, exchange, place)
    else if (this.#v2 !== null && isSessionPath(path)) refuseSessionMethod(exchange)
    else answerOtherPath(exchange, place !== null, this.#assets)
  }

  #fail(exchange: Exchange, error: unknown): void {
    const problem = error instanceof ProblemError ? error : this.#unforeseen(exchange, error)
    // A client that received part of an answer must not take it for complete.
    if (exchange.isAnswered) exchange.response.destroy()
    else sendProblem(exchange, this.#v2 !== null && isV2(exchange.path) ? inWordsOfV2(problem) : problem)
  }

  #unforeseen({ id }: Exchange, error: unknown): ProblemError {
    this.#log.error({ error, requestId: id }, 'a request failed')
    return new ApiError('internal_error', 'Something went wrong; the log has more under this request id.')
  }
}
