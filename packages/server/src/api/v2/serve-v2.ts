// api/v2/serve-v2.ts: registers the v2 operations on the listener and applies what they share, in the order
// that the contract gives: transport, principal, role, limits, precondition, body, shape. Routes only answer.
// An operation without a route answers that it is not available.
import { v2 } from '@pulseward/contract'
import { isWorkerCall } from '../../access/roles.ts'
import type { Clock } from '../../platform/clock.ts'
import { bodyNotExpected, bodyTooLarge, readBody } from '../../requests/read-body.ts'
import { V2Problem } from '../../requests/v2-problem.ts'
import { StoreError } from '../../store/store.ts'
import type { SystemMeter } from '../../telemetry/system-meter.ts'
import { setAside } from '../connection-limits.ts'
import { codingOf } from '../content-encoding.ts'
import type { Exchange } from '../exchange.ts'
import type { Upgrades } from '../http-listener.ts'
import type { ServeAckOptions } from '../on-call/serve-ack.ts'
import type { ServeCalendarOptions } from '../on-call/serve-calendar.ts'
import type { PracticeTarget } from '../practice-target.ts'
import type { BodyFault } from '../request-body.ts'
import { whenOver } from '../request-end.ts'
import type { RequestPermits } from '../request-permits.ts'
import type { Endpoint, Place, Router } from '../router.ts'
import type { SessionGate } from '../session/session-gate.ts'
import { readListParameters } from './list-parameters.ts'
import type { OperationIds } from './operation-ids.ts'
import { readPrecondition } from './preconditions.ts'
import type { V2Gate } from './v2-gate.ts'
import type { V2Route, V2RouteAnswer, V2RouteRequest } from './v2-route.ts'

export interface V2Options {
  readonly gate: V2Gate
  readonly sessions: SessionGate
  readonly practice: PracticeTarget
  /** The door for probes elsewhere. */
  readonly probes: Upgrades
  /** The addresses by which people acknowledge pages. */
  readonly ack: ServeAckOptions
  /** The addresses at which calendar programs read shifts. */
  readonly calendar: ServeCalendarOptions
  readonly routes: readonly V2Route[]
  readonly operations: OperationIds
  /** Whether the state of the previous process is restored: before that, writes cannot be validated. */
  readonly admitsWrites: () => boolean
  /** What a write must wait for before it starts; null if nothing. */
  readonly roomForWrite: () => Promise<void> | null
}

export interface V2Surroundings {
  readonly permits: RequestPermits
  readonly clock: Clock
  readonly meter: SystemMeter
}

/** A supervisor must get an answer even from an overloaded service; both answer from memory. */
const alwaysAnswered: ReadonlySet<v2.OperationName> = new Set(['GetLive', 'GetReady'])

const noOperation = { number: 0, id: '' }
/** A request that takes no body may still send one, which is refused. */
const noBodyBytes = 1024

export function serveV2(router: Router, options: V2Options, around: V2Surroundings): void {
  const routes = new Map(options.routes.map((route) => [route.operation, route]))
  for (const name of v2.operationNames) {
    const { method, path } = v2.operations[name]
    router.add(method, path, endpointOf(name, routes.get(name), options, around))
  }
}

function endpointOf(
  name: v2.OperationName,
  route: V2Route | undefined,
  { gate, operations, admitsWrites, roomForWrite }: V2Options,
  { permits, clock, meter }: V2Surroundings,
): Endpoint {
  const operation: v2.V2Operation = v2.operations[name]
  const isOfWorker = isWorkerCall(operation)
  const isWrite = v2.isMutation(operation) && !isOfWorker
  // A preflight writes nothing.
  const leavesOperation = 'X-Operation-ID' in (v2.successOf(operation).answer.headers?.properties ?? {})
  return async (exchange, path) => {
    const { request, response, headers } = exchange
    const caller = gate.callerOf(request)
    const { principal } = caller
    gate.allow(caller, name, request)
    if (route === undefined) throw notAvailable(operation)
    const version = readPrecondition(operation, headers) ?? ''
    const limited = isWrite ? gate.beginWrite(principal) : isOfWorker ? gate.beginWorkerCall(principal) : null
    if (limited !== null) whenOver(response, () => limited[Symbol.dispose]())
    const bytes = await bytesFor(operation, exchange)
    if (isOfWorker) gate.noteWorkerBody(principal, bytes.length)
    const left = leavesOperation ? operations.next() : noOperation
    const contentType = headers['content-type']
    const asked = {
      principal,
      isSession: caller.isSession,
      version,
      path,
      query: readListParameters(operation, exchange.target.search),
      body: route.takesBytes ? { contentType, bytes } : readBody(operation, contentType, bytes),
      operation: left,
      whenOver: (work: () => void) => whenOver(response, work),
    } as unknown as V2RouteRequest<typeof name>
    if (route.waits) setAside(response)
    const permit = alwaysAnswered.has(name) || route.waits ? null : permits.take(response)
    if (permit === 'none left')
      throw new V2Problem('tooBusy', 'Too many requests are in flight; try again in a moment.')
    if (isWrite && !admitsWrites()) throw starting()
    const beganMs = clock.monotonicMs()
    const room = isWrite ? roomForWrite() : null
    if (room !== null) await room
    const answer = await answerOf(route, asked)
    meter.begin(beganMs)
    meter.end(clock.monotonicMs(), 1)
    send(exchange, operation, answer, leavesOperation ? left.id : null)
  }
}

/** A read takes no body; one that is sent anyway is ignored. */
async function bytesFor(operation: v2.V2Operation, exchange: Exchange): Promise<Uint8Array> {
  if (operation.method === 'GET') return new Uint8Array()
  if (operation.body !== undefined) requirePlainBody(exchange)
  const read = await exchange.readBody(operation.body?.maxBytes ?? noBodyBytes)
  if (typeof read === 'string') throw bodyProblem(read, operation)
  return read
}

function requirePlainBody(exchange: Exchange): void {
  const coding = codingOf(exchange.headers['content-encoding'])
  if (coding === null) return
  exchange.setHeader('accept-encoding', 'identity')
  throw new V2Problem(
    'unsupportedMediaType',
    `The body is encoded as ${coding}; send it as it is, without Content-Encoding.`,
    {
      errors: [
        { field: 'Content-Encoding', reason: 'notAllowed', message: `must be identity, not ${coding}` },
      ],
    },
  )
}

async function answerOf(route: V2Route, asked: V2RouteRequest<v2.OperationName>): Promise<V2RouteAnswer> {
  try {
    return await route.answer(asked)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw new V2Problem('unavailable', 'The store cannot be read now.', { cause: error })
  }
}

function send(
  exchange: Exchange,
  operation: v2.V2Operation,
  { body, version, location, retryAfterSeconds, operationId }: V2RouteAnswer,
  leftId: string | null,
): void {
  if (version !== undefined) exchange.setHeader('etag', `"${version}"`)
  if (location !== undefined) exchange.setHeader('location', location)
  if (retryAfterSeconds !== undefined) exchange.setHeader('retry-after', String(retryAfterSeconds))
  const named = operationId ?? leftId
  if (named !== null) exchange.setHeader('x-operation-id', named)
  const { status } = v2.successOf(operation)
  if (body === undefined) exchange.send(status)
  else exchange.sendJson(status, JSON.stringify(body))
}

function notAvailable({ build }: v2.V2Operation): V2Problem {
  return new V2Problem(
    'featureUnavailable',
    build === 'external_jobs'
      ? 'This service is run without external jobs; the setting external_jobs turns them on.'
      : 'This service does not offer this operation yet.',
  )
}

/** Nothing was done, and clients may rely on that: Retry-After says so. */
function starting(): V2Problem {
  return new V2Problem(
    'unavailable',
    'The service is starting: the state of the previous process is not restored yet. Try again in a moment.',
    { retryAfterSeconds: 1 },
  )
}

/** Why the body could not be read. */
function bodyProblem(fault: BodyFault, operation: v2.V2Operation): V2Problem {
  if (operation.body === undefined) return bodyNotExpected()
  if (fault === 'too large') return bodyTooLarge(operation)
  return new V2Problem(
    'invalidBody',
    'The body cannot be read: it does not have the length that was announced.',
  )
}

/** Refuses an unknown v2 path, or an unknown method of a known one. Authentication comes first. */
export function refuseV2Path(gate: V2Gate, exchange: Exchange, place: Place | null): never {
  gate.callerOf(exchange.request)
  if (place === null) throw new V2Problem('notFound', 'There is nothing at this path.')
  const { methods } = place
  const allowed = (methods.includes('GET') ? [...methods, 'HEAD'] : methods).join(', ')
  exchange.setHeader('allow', allowed)
  throw new V2Problem('methodNotAllowed', `${exchange.method} is not allowed here; use ${allowed}.`)
}
