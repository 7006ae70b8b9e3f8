// simulation/operations/operation-requests.ts: what people ask for in operations of many items, with what they know.
import type { Wanted } from '../writes/wanted.ts'

export type ManyVerb = 'acknowledge' | 'dismiss' | 'reopen' | 'snooze' | 'unsnooze' | 'recover'

interface OfMany {
  /** From the same sequence as single writes and controls. */
  readonly number: number
  readonly principal: string
}

export interface CollectionRequest extends OfMany {
  /** By the id of the item, in the order of upload. */
  readonly items: ReadonlyMap<string, Wanted>
}

export interface ManyControlsRequest extends OfMany {
  readonly verb: ManyVerb
  readonly reason: string
  /** Null: all monitors. */
  readonly ids: readonly string[] | null
}

export type OperationRequest = CollectionRequest | ManyControlsRequest

export function isCollection(request: OperationRequest): request is CollectionRequest {
  return 'items' in request
}
