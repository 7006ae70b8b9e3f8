// api/server.ts: the HTTP listener. Everything that holds for all routes is here, in the order that the
// contract gives: authentication, then route, method, parameters, data. Routes only answer.
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { formatAddress, type ListenAddress } from '../config/settings/listen-address.ts'
import type { Clock } from '../platform/clock.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { Log } from '../telemetry/log.ts'
import type { SystemMeter } from '../telemetry/system-meter.ts'
import { Authentication, challengeFor } from './authentication.ts'
import { answerClientError } from './client-error.ts'
import { page } from './page.ts'
import { readPath, readQuery } from './parameters.ts'
import { ApiError, sendProblem } from './problem.ts'
import type { Route, RouteAnswer, RouteRequest } from './route.ts'
import { fastifyPath, KnownPaths, operationOf } from './route-table.ts'

export interface ApiOptions {
  readonly listen: ListenAddress
  readonly token: string | null
  readonly routes: readonly Route[]
  readonly clock: Clock
  readonly log: Log
  readonly meter: SystemMeter
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
  return { address, url: `http://${formatAddress(address)}`, [Symbol.asyncDispose]: () => server.close() }
}

function buildApi({ token, routes, clock, log, meter }: ApiOptions): FastifyInstance {
  const authentication = token === null ? null : new Authentication(token, clock)
  const paths = new KnownPaths(['/', ...routes.map((route) => operationOf(route).path)])
  const server = fastify({
    genReqId: (request) => requestId(request.headers['x-request-id']),
    forceCloseConnections: true,
    bodyLimit: 1024,
    requestTimeout: 30_000,
    exposeHeadRoutes: true,
    clientErrorHandler: answerClientError,
    // A path that cannot be decoded is the client's mistake and gets a problem like any other. No hook runs then.
    async frameworkErrors(error, request, reply: FastifyReply) {
      if (await admit(authentication, request, reply)) sendFailure(error, request, reply, log)
    },
  })
  server.addHook('onRequest', async (request, reply) => {
    if (!(await admit(authentication, request, reply))) return reply
    // Here, because later the body would be read first, and a bad one refused for the wrong reason.
    return request.is404 ? refuseUnknown(request, reply, paths) : undefined
  })
  for (const route of routes) {
    const operation = operationOf(route)
    server.get(fastifyPath(operation), async (request, reply) => {
      const asked = {
        path: readPath(operation, request.params as Record<string, string>),
        query: readQuery(operation, searchOf(request)),
        headers: request.headers,
      } as RouteRequest<Route['operation']>
      meter.begin(clock.monotonicMs())
      const answer = await route.answer(asked)
      meter.end(clock.monotonicMs(), 1)
      return send(reply, answer)
    })
  }
  server.get('/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
  server.setErrorHandler((error: FastifyError, request, reply) => sendFailure(error, request, reply, log))
  return server
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
  const { bytes, headers } = answer
  return reply.headers(headers).send(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
}

function searchOf(request: FastifyRequest): string {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

function requestId(incoming: string | string[] | undefined): string {
  return typeof incoming === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(incoming) ? incoming : randomUUID()
}

function setCommonHeaders(reply: FastifyReply): void {
  reply.headers({
    'x-request-id': reply.request.id,
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  })
}

/** Whether the request may go on; if not, it has been answered. */
async function admit(
  authentication: Authentication | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  setCommonHeaders(reply)
  const peer = request.socket.remoteAddress ?? ''
  const verdict = authentication?.judge(request.headers.authorization, peer)
  if (verdict === undefined || verdict.allowed) return true
  if (verdict.delayMs > 0) await delay(verdict.delayMs)
  reply.header('www-authenticate', challengeFor(pathOf(request)))
  sendProblem(reply, new ApiError('unauthorized', verdict.detail))
  return false
}

/** Proxies may send the whole URL instead of its path. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0]!.replace(/^https?:\/\/[^/]*/i, '')
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply, paths: KnownPaths): FastifyReply {
  const path = pathOf(request)
  if (path.startsWith('/api/v2/') || path === '/api/v2') {
    return sendProblem(reply, new ApiError('api_version_not_served', 'This edition serves no v2 route.'))
  }
  if (paths.has(path)) {
    reply.header('allow', 'GET, HEAD')
    return sendProblem(
      reply,
      new ApiError('method_not_allowed', `${request.method} is not allowed here; use GET or HEAD.`),
    )
  }
  return sendProblem(reply, new ApiError('not_found', 'There is nothing at this path.'))
}

function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  if (error instanceof ApiError) return sendProblem(reply, error)
  const { statusCode } = error as Partial<FastifyError>
  if (statusCode === 413)
    return sendProblem(
      reply,
      new ApiError('payload_too_large', 'The request has a body that nobody asked for.'),
    )
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return sendProblem(reply, new ApiError('invalid_request', 'The request cannot be understood.'))
  }
  log.error({ error, requestId: request.id }, 'a request failed')
  return sendProblem(
    reply,
    new ApiError('internal_error', 'Something went wrong; the log has more under this request id.'),
  )
}

function listenProblem(listen: ListenAddress, { code, message }: NodeJS.ErrnoException): string {
  const address = formatAddress(listen)
  if (code === 'EADDRINUSE')
    return `Something else is listening on ${address} already; stop it or choose another with --listen.`
  if (code === 'EACCES')
    return `Listening on ${address} is not permitted; choose a port above 1023 with --listen.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${address} is no address of this machine.`
  return `Listening on ${address} failed: ${message}.`
}
