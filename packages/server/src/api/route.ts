// api/route.ts: a v1 route: an operation of the contract and the code that answers it. An edition serves a
// list of routes; the server adds what they share: authentication, methods, parameters, headers, problems.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PathParametersOf, QueryParametersOf, V1OperationName, v1Operations } from '@pulseward/contract'

type V1Operation<Name extends V1OperationName> = (typeof v1Operations)[Name]

/** A request whose parameters were read as the contract says. */
export interface RouteRequest<Name extends V1OperationName> {
  readonly path: PathParametersOf<V1Operation<Name>>
  readonly query: QueryParametersOf<V1Operation<Name>>
  readonly headers: IncomingMessage['headers']
}

export type RouteAnswer =
  | { readonly status: number; readonly body: unknown }
  /** A body that is already serialized JSON. */
  | { readonly status: number; readonly json: string }
  /** Not JSON. With 304 these are the bytes that the client already has; they are not sent. */
  | {
      readonly status: number
      readonly bytes: Uint8Array | string
      readonly headers: Readonly<Record<string, string>>
    }
  /** Lasts until either side ends it: the route writes the answer itself. */
  | { readonly stream: (request: IncomingMessage, response: ServerResponse) => void }

export interface Route<Name extends V1OperationName = V1OperationName> {
  readonly operation: Name
  answer(request: RouteRequest<Name>): RouteAnswer | Promise<RouteAnswer>
}

export function route<Name extends V1OperationName>(
  operation: Name,
  answer: (request: RouteRequest<Name>) => RouteAnswer | Promise<RouteAnswer>,
): Route {
  return { operation, answer } as unknown as Route
}

export function json(body: unknown, status = 200): RouteAnswer {
  return { status, body }
}
