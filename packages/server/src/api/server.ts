// api/server.ts: the HTTP listener. Everything that holds for all routes is here, in the order that the
// contract gives: host, authentication, then route, method, parameters, data. Routes only answer.
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { sessionPath, type V1OperationName } from '@pulseward/contract'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { formatAddress, type ListenAddress } from '../config/settings/listen-address.ts'
import type { ServerIdentity } from '../config/settings/server-identity.ts'
import type { Clock } from '../platform/clock.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { Log } from '../telemetry/log.ts'
import type { SystemMeter } from '../telemetry/system-meter.ts'
import { Assets } from './assets.ts'
import { answerClientError, rememberAnswer } from './client-error.ts'
import { compressed, isCompressible, sendNotModified } from './compression.ts'
import type { ConnectionBounds } from './connection-limits.ts'
import { Gate } from './gate.ts'
import { createListener } from './http-listener.ts'
import { answerOtherPath, assetFor } from './other-paths.ts'
import { readPath, readQuery } from './parameters.ts'
import { ApiError, ProblemError, sendProblem } from './problem.ts'
import { isV2, pathOf } from './request-path.ts'
import { RequestPermits } from './request-permits.ts'
import type { Route, RouteAnswer, RouteRequest } from './route.ts'
import { fastifyPath, KnownPaths, operationOf } from './route-table.ts'
import { refuseSessionMethod, serveSession } from './session/serve-session.ts'
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
  /** Speaks TLS with it. */
  readonly identity?: ServerIdentity | null
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly proxies?: readonly string[]
  /** Other origins whose pages may read. */
  readonly origins?: readonly string[]
  /** Where people reach the service, and other names that it answers to while no token is needed. */
  readonly publicUrl?: string | null
  readonly allowedHosts?: readonly string[]
  readonly concurrentRequests?: number
  readonly unread?: UnreadLimits
  readonly connections?: ConnectionBounds
  readonly assets?: Assets
  /** Null in an edition that does not serve v2. */
  readonly v2?: V2Options | null
}

export interface ApiServer {
  /** The address in force: with port 0 the one that the system chose. */
  readonly address: ListenAddress
  readonly url: string
  [Symbol.asyncDispose](): Promise<void>
}

export async function startApi(options: ApiOptions): Promise<ApiServer> {
  const server = buildApi(options)
  try {
    await server.listen({ host: options.listen.host, port: options.listen.port })
  } catch (error) {
    await server.close()
    throw new UsageError(listenProblem(options.listen, error as NodeJS.ErrnoException), { cause: error })
  }
  const { address: host, port } = server.server.address() as AddressInfo
  const address = { host, port }
  const scheme = (options.identity ?? null) === null ? 'http' : 'https'
  return {
    address,
    url: `${scheme}://${formatAddress(address)}`,
    [Symbol.asyncDispose]: () => server.close(),
  }
}

const defaultConcurrentRequests = 256
/** A supervisor must get an answer even from an overloaded service; both answer from memory. */
const alwaysAnswered: ReadonlySet<V1OperationName> = new Set(['GetLive', 'GetReady'])
const jsonType = 'application/json; charset=utf-8'
/** A path parameter of any length is read and refused like a short one. */
const maxParamLength = 16 * 1024

function buildApi(options: ApiOptions): FastifyInstance {
  const { routes, log, identity = null, assets = Assets.plainPage(), v2 = null } = options
  const gate = new Gate({
    ...options,
    principals: v2?.gate ?? null,
    // The pages hold no data, and must be there to sign in with.
    isOpen: (request, path) =>
      v2 !== null && (path === sessionPath || assetFor(request, path, assets) !== null),
  })
  const permits = new RequestPermits(options.concurrentRequests ?? defaultConcurrentRequests)
  const unread = new UnreadAnswers(options.unread)
  const sendFailure = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const problem = problemOf(error, request, log)
    return sendProblem(reply, v2 !== null && isV2(pathOf(request)) ? inWordsOfV2(problem) : problem)
  }
  const paths = new KnownPaths(['/', ...routes.map((route) => operationOf(route).path)])
  const server = fastify({
    serverFactory: (handler) =>
      createListener(
        identity,
        (request, response) => {
          rememberAnswer(response)
          handler(request, response)
        },
        options.connections,
      ),
    genReqId: (request) => requestId(request.headers['x-request-id']),
    forceCloseConnections: true,
    bodyLimit: 1024,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, v2 !== null),
    // A path that cannot be decoded is the client's mistake and gets a problem like any other. No hook runs then.
    async frameworkErrors(error, request, reply: FastifyReply) {
      if (await gate.admit(request, reply)) sendFailure(error, request, reply)
    },
  })
  // Hooks call back instead of promising: most requests pass them at once.
  server.addHook('onRequest', (request, reply, done) => {
    const goOn = (admitted: boolean) => {
      if (!admitted) return
      // Here, because later the body would be read first, and a bad one refused for the wrong reason.
      const refuseOwn = (path: string) => {
        if (v2 === null) return null
        if (isV2(path)) return refuseV2Path(v2.gate, request, reply, path)
        return path === sessionPath ? refuseSessionMethod(request, reply) : null
      }
      if (request.is404) answerOtherPath(request, reply, paths, assets, refuseOwn)
      else done()
    }
    const admitted = gate.admit(request, reply)
    if (typeof admitted === 'boolean') goOn(admitted)
    else admitted.then(goOn, done)
  })
  server.addHook<unknown>('onSend', (request, reply, body, done) => {
    const send = (sent: unknown) => {
      unread.watch(reply.raw, typeof sent === 'string' || sent instanceof Uint8Array ? sent.length : 0)
      done(null, sent)
    }
    if (isCompressible(reply, body)) compressed(request, reply, body as string | Uint8Array).then(send, done)
    else send(body)
  })
  // Bodies are read by whoever knows what is expected.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  for (const route of routes) serve(server, route, permits, options)
  if (v2 !== null) {
    serveSession(server, v2.sessions, { gate, log })
    serveV2(server, v2, { permits, ...options })
  }
  server.setErrorHandler((error: FastifyError, request, reply) => sendFailure(error, request, reply))
  return server
}

function serve(
  server: FastifyInstance,
  route: Route,
  permits: RequestPermits,
  { clock, meter }: ApiOptions,
): void {
  const operation = operationOf(route)
  const isLimited = !alwaysAnswered.has(route.operation)
  server.get(fastifyPath(operation), (request, reply) => {
    const asked = {
      path: readPath(operation, request.params as Record<string, string>),
      query: readQuery(operation, searchOf(request)),
      headers: request.headers,
    } as RouteRequest<Route['operation']>
    const permit = isLimited ? permits.take(reply.raw) : null
    if (permit === 'none left')
      throw new ApiError('overloaded', 'Too many requests are under way; try again in a moment.', [], 1)
    const beganMs = clock.monotonicMs()
    const finish = (answer: RouteAnswer) => {
      // Others may have begun meanwhile: begin and end stand together.
      meter.begin(beganMs)
      meter.end(clock.monotonicMs(), 1)
      // A stream is not work in flight; its own route bounds how many there are.
      if ('stream' in answer) permit?.release()
      return send(reply, answer)
    }
    const answer = route.answer(asked)
    if (answer instanceof Promise) return answer.then(finish)
    finish(answer)
    return undefined
  })
}

function send(reply: FastifyReply, answer: RouteAnswer): FastifyReply {
  if ('stream' in answer) {
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value!)
    answer.stream(reply.request.raw, reply.raw)
    return reply
  }
  reply.code(answer.status)
  if ('body' in answer) return reply.send(answer.body)
  if ('json' in answer) return reply.header('content-type', jsonType).send(answer.json)
  const bytes = typeof answer.bytes === 'string' ? Buffer.from(answer.bytes) : answer.bytes
  reply.headers(answer.headers)
  return answer.status === 304 ? sendNotModified(reply, bytes) : reply.send(bytes)
}

function searchOf(request: FastifyRequest): string {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

function requestId(incoming: string | string[] | undefined): string {
  return typeof incoming === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(incoming) ? incoming : randomUUID()
}

function problemOf(error: Error, request: FastifyRequest, log: Log): ProblemError {
  if (error instanceof ProblemError) return error
  const { statusCode } = error as Partial<FastifyError>
  if (statusCode === 413)
    return new ApiError('payload_too_large', 'The request has a body where none is expected.')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ApiError('invalid_request', 'The request cannot be understood.')
  log.error({ error, requestId: request.id }, 'a request failed')
  return new ApiError('internal_error', 'Something went wrong; the log has more under this request id.')
}

function listenProblem(listen: ListenAddress, { code, message }: NodeJS.ErrnoException): string {
  const address = formatAddress(listen)
  if (code === 'EADDRINUSE')
    return `Something else is listening on ${address} already; stop it or choose another with --listen.`
  if (code === 'EACCES')
    return `Listening on ${address} is not permitted; choose a port above 1023 with --listen.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${address} is not an address of this machine.`
  return `Listening on ${address} failed: ${message}.`
}
