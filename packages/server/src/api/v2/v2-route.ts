// api/v2/v2-route.ts: a v2 route: an operation of the contract and the code that answers it. Transport,
// principal, role, limits, precondition and the shape of the body are checked before it is called.
import type { BodyOf, PathParametersOf, v2 } from '@pulseward/contract'
import type { Static, TSchema } from 'typebox'
import type { Principal } from '../../access/principals-format.ts'
import type { ListParameters } from './list-parameters.ts'

type V2OperationOf<Name extends v2.OperationName> = (typeof v2.operations)[Name]

export interface V2RouteRequest<Name extends v2.OperationName> {
  readonly principal: Principal
  /** It asks by a session of the page, and not with its token. */
  readonly isSession: boolean
  readonly path: PathParametersOf<V2OperationOf<Name>>
  readonly query: ListParameters
  /** The version in If-Match, without its quotes; empty if the operation takes none. */
  readonly version: string
  readonly body: BodyOf<V2OperationOf<Name>>
  /** The operation that records a write; the answer names it. Number 0 for a read, which has none. */
  readonly operation: { readonly number: number; readonly id: string }
  /** Calls back when the request is answered or its client is gone. */
  readonly whenOver: (work: () => void) => void
}

/** The body that the contract specifies for the answer of a read. */
export type ReadBodyOf<Name extends v2.OperationName> =
  V2OperationOf<Name>['answers'] extends Readonly<Record<200, { readonly schema: infer Schema }>>
    ? Schema extends TSchema
      ? Static<Schema>
      : never
    : never

export interface V2RouteAnswer<Body = unknown> {
  readonly body: Body
  /** The version of a single resource; becomes its entity tag. */
  readonly version?: string
  /** The path of a created resource. */
  readonly location?: string
  /** The operation to name in the answer, if it is not the one of this call. */
  readonly operationId?: string
  /** Set while the requested work is still running. */
  readonly retryAfterSeconds?: number
}

/** An unparsed request body. */
export interface BodyBytes {
  readonly contentType: string | undefined
  readonly bytes: Uint8Array
}

export interface V2Route<Name extends v2.OperationName = v2.OperationName> {
  readonly operation: Name
  /** The body is not parsed here: parsing a large one would block the listener. */
  readonly takesBytes?: true
  /** The route may wait long for its answer, and bounds how many requests do. */
  readonly waits?: true
  answer(request: V2RouteRequest<Name>): V2RouteAnswer | Promise<V2RouteAnswer>
}

export function v2Route<Name extends v2.OperationName>(
  operation: Name,
  answer: (request: V2RouteRequest<Name>) => V2RouteAnswer | Promise<V2RouteAnswer>,
): V2Route {
  return { operation, answer } as unknown as V2Route
}

/** A route that receives its body unparsed. */
export function v2BytesRoute<Name extends v2.OperationName>(
  operation: Name,
  answer: (
    request: Omit<V2RouteRequest<Name>, 'body'> & { readonly body: BodyBytes },
  ) => V2RouteAnswer | Promise<V2RouteAnswer>,
): V2Route {
  return { operation, takesBytes: true, answer } as unknown as V2Route
}

/** A route that only reads; its body is typed by the contract. */
export function v2Read<Name extends v2.OperationName>(
  operation: Name,
  answer: (
    request: V2RouteRequest<Name>,
  ) => V2RouteAnswer<ReadBodyOf<Name>> | Promise<V2RouteAnswer<ReadBodyOf<Name>>>,
): V2Route {
  return v2Route(operation, answer)
}
