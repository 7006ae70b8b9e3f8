// api/route.ts: what a v1 route is: an operation of the contract and the code that answers it. An edition serves a
// list of them; the server adds everything that holds for all: authentication, methods, parameters, headers, problems.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PathParametersOf, QueryParametersOf, V1OperationName, v1Operations } from '@pulseward/contract'

type V1Operation<Name extends V1OperationName> = (typeof v1Operations)[Name]

/** A request whose parameters have been read as the contract says. */
export interface RouteRequest<Name extends V1OperationName> {
  readonly path: PathParametersOf<V1Operation<Name>>
  readonly query: QueryParametersOf<V1Operation<Name>>
  readonly headers: IncomingMessage['headers']
}

export type RouteAnswer =
  | { readonly status: number; readonly body: unknown }
  /** A body that was written as JSON already. */
  | { readonly status: number; readonly json: string }
  /** Not JSON. With 304 the bytes are those that the client has already, and are not sent. */
  | {
      readonly status: number
      readonly bytes: Uint8Array | string
      readonly headers: Readonly<Record<string, string>>
    }
  /** Goes on for as long as both sides want: the route writes the answer itself. */
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
