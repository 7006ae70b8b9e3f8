// api/v2/v2-route.ts: what a v2 route is: an operation of the contract and the code that answers it. What holds for all
// operations has happened before: transport, principal, role, limits, precondition, and the shape of the body.
import type { BodyOf, PathParametersOf, v2 } from '@pulseward/contract'
import type { Static, TSchema } from 'typebox'
import type { Principal } from '../../access/principals-format.ts'
import type { ListParameters } from './list-parameters.ts'

type V2OperationOf<Name extends v2.OperationName> = (typeof v2.operations)[Name]

export interface V2RouteRequest<Name extends v2.OperationName> {
  readonly principal: Principal
  readonly path: PathParametersOf<V2OperationOf<Name>>
  readonly query: ListParameters
  /** The version that If-Match names, without its quotes; empty where the operation has none. */
  readonly version: string
  readonly body: BodyOf<V2OperationOf<Name>>
  /** The operation that a write leaves; the answer names it. Number 0 of a read, which leaves none. */
  readonly operation: { readonly number: number; readonly id: string }
  /** Calls this when the request is answered, or its client is gone. */
  readonly whenOver: (work: () => void) => void
}

/** The body that the contract gives to the answer of a read. */
export type ReadBodyOf<Name extends v2.OperationName> =
  V2OperationOf<Name>['answers'] extends Readonly<Record<200, { readonly schema: infer Schema }>>
    ? Schema extends TSchema
      ? Static<Schema>
      : never
    : never

export interface V2RouteAnswer<Body = unknown> {
  readonly body: Body
  /** Of a single resource: becomes its entity tag. */
  readonly version?: string
  /** Of what was created. */
  readonly location?: string
  /** The operation that the answer names, where it is not the one that the call left. */
  readonly operationId?: string
  /** While what was asked for still runs. */
  readonly retryAfterSeconds?: number
}

/** A body that is read elsewhere, as it came. */
export interface BodyBytes {
  readonly contentType: string | undefined
  readonly bytes: Uint8Array
}

export interface V2Route<Name extends v2.OperationName = v2.OperationName> {
  readonly operation: Name
  /** The body is not parsed: it may be so large that the listener would stand still. */
  readonly takesBytes?: true
  /** It may wait long for what it answers with, and bounds itself how many do. */
  readonly waits?: true
  answer(request: V2RouteRequest<Name>): V2RouteAnswer | Promise<V2RouteAnswer>
}

export function v2Route<Name extends v2.OperationName>(
  operation: Name,
  answer: (request: V2RouteRequest<Name>) => V2RouteAnswer | Promise<V2RouteAnswer>,
): V2Route {
  return { operation, answer } as unknown as V2Route
}

/** A route that is given its body as it came. */
export function v2BytesRoute<Name extends v2.OperationName>(
  operation: Name,
  answer: (
    request: Omit<V2RouteRequest<Name>, 'body'> & { readonly body: BodyBytes },
  ) => V2RouteAnswer | Promise<V2RouteAnswer>,
): V2Route {
  return { operation, takesBytes: true, answer } as unknown as V2Route
}

/** A route that only reads: its body is what the contract says. */
export function v2Read<Name extends v2.OperationName>(
  operation: Name,
  answer: (
    request: V2RouteRequest<Name>,
  ) => V2RouteAnswer<ReadBodyOf<Name>> | Promise<V2RouteAnswer<ReadBodyOf<Name>>>,
): V2Route {
  return v2Route(operation, answer)
}
