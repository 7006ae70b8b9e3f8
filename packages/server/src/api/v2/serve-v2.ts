// api/v2/serve-v2.ts: puts the operations of v2 on the listener. Everything that holds for all of them is here, in the
// order that the contract gives: transport, principal, role, limits, precondition, body, shape. Routes only answer. An
// operation that this service has no route for is there, and says that it is not available.
import { v2 } from '@pulseward/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../../access/principals-format.ts'
import { isWorkerCall } from '../../access/roles.ts'
import type { Clock } from '../../platform/clock.ts'
import { StoreError } from '../../store/store.ts'
import type { Log } from '../../telemetry/log.ts'
import type { SystemMeter } from '../../telemetry/system-meter.ts'
import { setAside } from '../connection-limits.ts'
import { ProblemError, sendProblem } from '../problem.ts'
import { whenOver } from '../request-end.ts'
import type { RequestPermits } from '../request-permits.ts'
import { fastifyPath } from '../route-table.ts'
import type { SessionGate } from '../session/session-gate.ts'
import { readListParameters } from './list-parameters.ts'
import { otherMediaType } from './media-type.ts'
import type { OperationIds } from './operation-ids.ts'
import { readPrecondition } from './preconditions.ts'
import { bodyNotExpected, bodyTooLarge, readBody } from './read-body.ts'
import type { V2Gate } from './v2-gate.ts'
import { V2Problem } from './v2-problem.ts'
import type { V2Route, V2RouteAnswer, V2RouteRequest } from './v2-route.ts'

export interface V2Options {
  readonly gate: V2Gate
  readonly sessions: SessionGate
  readonly routes: readonly V2Route[]
  readonly operations: OperationIds
  /** What a write waits for before it begins; null when there is nothing. */
  readonly roomForWrite: () => Promise<void> | null
}

export interface V2Surroundings {
  readonly permits: RequestPermits
  readonly clock: Clock
  readonly log: Log
  readonly meter: SystemMeter
}

/** What was found out about a request before its body was read. */
interface Judged {
  readonly principal: Principal
  readonly version: string
  readonly write: Disposable | null
}

/** A supervisor must get an answer even from an overloaded service; both answer from memory. */
const alwaysAnswered: ReadonlySet<v2.OperationName> = new Set(['GetLive', 'GetReady'])

const judgement = Symbol('what was found out')

interface JudgedRequest extends FastifyRequest {
  [judgement]?: Judged
}

const noOperation = { number: 0, id: '' }
/** A request without a body may still bring one that is refused. */
const noBodyBytes = 1024

export function serveV2(server: FastifyInstance, options: V2Options, around: V2Surroundings): void {
  const routes = new Map(options.routes.map((route) => [route.operation, route]))
  for (const name of v2.operationNames) serveOperation(server, name, routes.get(name), options, around)
}

function serveOperation(
  server: FastifyInstance,
  name: v2.OperationName,
  route: V2Route | undefined,
  { gate, operations, roomForWrite }: V2Options,
  { permits, clock, log, meter }: V2Surroundings,
): void {
  const operation: v2.V2Operation = v2.operations[name]
  // What workers ask for is bounded by what there is to do.
  const isWrite = v2.isMutation(operation) && !isWorkerCall(operation)
  // A preflight writes nothing.
  const leavesOperation = 'X-Operation-ID' in (v2.successOf(operation).answer.headers?.properties ?? {})
  server.route({
    method: operation.method,
    url: fastifyPath(operation),
    bodyLimit: operation.body?.maxBytes ?? noBodyBytes,
    onRequest(request, reply, done) {
      const caller = gate.callerOf(request.raw)
      const { principal } = caller
      gate.allow(caller, name, request.raw)
      if (route === undefined) throw notAvailable(operation)
      const version = readPrecondition(operation, request.headers) ?? ''
      const write = isWrite ? gate.beginWrite(principal) : null
      ;(request as JudgedRequest)[judgement] = { principal, version, write }
      if (write !== null) whenOver(reply.raw, () => write[Symbol.dispose]())
      done()
    },
    errorHandler: (error: FastifyError, request, reply) => refuse(error, operation, request, reply, log),
    async handler(request, reply) {
      const judged = (request as JudgedRequest)[judgement]
      if (judged === undefined || route === undefined) throw new Error('a v2 request was not judged')
      const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
      const left = leavesOperation ? operations.next() : noOperation
      const asked = {
        principal: judged.principal,
        version: judged.version,
        path: request.params,
        query: readListParameters(operation, searchOf(request)),
        body: route.takesBytes
          ? { contentType: request.headers['content-type'], bytes }
          : readBody(operation, request.headers['content-type'], bytes),
        operation: left,
        whenOver: (work: () => void) => whenOver(reply.raw, work),
      } as unknown as V2RouteRequest<typeof name>
      if (route.waits) setAside(reply.raw)
      const permit = alwaysAnswered.has(name) || route.waits ? null : permits.take(reply.raw)
      if (permit === 'none left')
        throw new V2Problem('tooBusy', 'Too many requests are in flight; try again in a moment.')
      const beganMs = clock.monotonicMs()
      const room = isWrite ? roomForWrite() : null
      if (room !== null) await room
      const answer = await route.answer(asked)
      meter.begin(beganMs)
      meter.end(clock.monotonicMs(), 1)
      return send(reply, operation, answer, leavesOperation ? left.id : null)
    },
  })
}

function send(
  reply: FastifyReply,
  operation: v2.V2Operation,
  { body, version, location, retryAfterSeconds, operationId }: V2RouteAnswer,
  leftId: string | null,
): FastifyReply {
  if (version !== undefined) reply.header('etag', `"${version}"`)
  if (location !== undefined) reply.header('location', location)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  const named = operationId ?? leftId
  if (named !== null) reply.header('x-operation-id', named)
  return reply.code(v2.successOf(operation).status).send(body)
}

function notAvailable({ build }: v2.V2Operation): V2Problem {
  return new V2Problem(
    'featureUnavailable',
    build === 'external_jobs'
      ? 'This service is run without external jobs; the setting external_jobs turns them on.'
      : 'This service does not offer this operation yet.',
  )
}

/** What went wrong before a route could say so in its own words. */
function refuse(
  error: FastifyError,
  operation: v2.V2Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  if (error instanceof ProblemError) return sendRefusal(reply, error)
  if (error instanceof StoreError)
    return sendProblem(reply, new V2Problem('unavailable', 'The store cannot be read now.', { cause: error }))
  const { statusCode = 500 } = error
  if (statusCode >= 400 && statusCode < 500)
    return sendProblem(reply, bodyProblem(statusCode, operation, request.headers['content-type']))
  log.error({ error, requestId: request.id }, 'a request failed')
  const detail = 'Something went wrong; the log has more under this request id.'
  return sendProblem(reply, new V2Problem('internalError', detail))
}

/** Why the listener could not read a body. */
function bodyProblem(
  statusCode: number,
  operation: v2.V2Operation,
  contentType: string | undefined,
): V2Problem {
  if (operation.body === undefined) return bodyNotExpected()
  if (statusCode === 413) return bodyTooLarge(operation)
  if (statusCode === 415) return otherMediaType(contentType, operation.body.mediaType)
  return new V2Problem(
    'invalidBody',
    'The body cannot be read: it does not have the length that was announced.',
  )
}

function sendRefusal(reply: FastifyReply, error: ProblemError): FastifyReply {
  if (error.code === 'unauthorized') reply.header('www-authenticate', 'Bearer realm="pulseward"')
  return sendProblem(reply, error)
}

function searchOf(request: FastifyRequest): string {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

/** Refuses a path of v2 that is none, or that has no such method. Who asks is judged first. */
export function refuseV2Path(
  gate: V2Gate,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): FastifyReply {
  try {
    gate.callerOf(request.raw)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return sendRefusal(reply, error)
  }
  const methods = v2.operationNames
    .map((name): v2.V2Operation => v2.operations[name])
    .filter((operation) => patternOf(operation.path).test(path))
    .map(({ method }) => method)
  if (methods.length === 0)
    return sendProblem(reply, new V2Problem('notFound', 'There is nothing at this path.'))
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  reply.header('allow', allowed.join(', '))
  return sendProblem(
    reply,
    new V2Problem('methodNotAllowed', `${request.method} is not allowed here; use ${allowed.join(', ')}.`),
  )
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
