// api/serve-v1.ts: registers the v1 routes on the listener and adds what they share: parameters as the
// contract says, permits, the meter. Routes only answer.
import { type Operation, type V1OperationName, v1Operations } from '@pulseward/contract'
import type { Clock } from '../platform/clock.ts'
import { ApiError } from '../requests/problem.ts'
import type { SystemMeter } from '../telemetry/system-meter.ts'
import type { Exchange } from './exchange.ts'
import { readPath, readQuery } from './parameters.ts'
import type { RequestPermits } from './request-permits.ts'
import type { Route, RouteAnswer, RouteRequest } from './route.ts'
import type { Endpoint, Router } from './router.ts'

export interface V1Surroundings {
  readonly permits: RequestPermits
  readonly clock: Clock
  readonly meter: SystemMeter
}

/** A supervisor must get an answer even from an overloaded service; both answer from memory. */
const alwaysAnswered: ReadonlySet<V1OperationName> = new Set(['GetLive', 'GetReady'])

export function serveV1(router: Router, routes: readonly Route[], around: V1Surroundings): void {
  for (const route of routes) {
    const operation = v1Operations[route.operation]
    router.add(operation.method, operation.path, endpointOf(route, operation, around))
  }
}

function endpointOf(route: Route, operation: Operation, { permits, clock, meter }: V1Surroundings): Endpoint {
  const isLimited = !alwaysAnswered.has(route.operation)
  return (exchange, parameters) => {
    const asked = {
      path: readPath(operation, parameters),
      query: readQuery(operation, exchange.target.search),
      headers: exchange.headers,
    } as RouteRequest<Route['operation']>
    const permit = isLimited ? permits.take(exchange.response) : null
    if (permit === 'none left')
      throw new ApiError('overloaded', 'Too many requests are in flight; try again in a moment.', [], 1)
    const beganMs = clock.monotonicMs()
    const finish = (answer: RouteAnswer) => {
      // Called together: other requests may have begun in between.
      meter.begin(beganMs)
      meter.end(clock.monotonicMs(), 1)
      // A stream is not work in flight; its own route bounds how many there are.
      if ('stream' in answer) permit?.release()
      send(exchange, answer)
    }
    const answer = route.answer(asked)
    return answer instanceof Promise ? answer.then(finish) : finish(answer)
  }
}

function send(exchange: Exchange, answer: RouteAnswer): void {
  if ('stream' in answer) {
    answer.stream(exchange.request, exchange.takeOver())
    return
  }
  const { status } = answer
  if ('body' in answer) exchange.sendJson(status, JSON.stringify(answer.body))
  else if ('json' in answer) exchange.sendJson(status, answer.json)
  else {
    const bytes = typeof answer.bytes === 'string' ? Buffer.from(answer.bytes) : answer.bytes
    exchange.setHeaders(answer.headers)
    if (status === 304) exchange.sendNotModified(bytes)
    else exchange.send(status, bytes)
  }
}
