// simulation/writes/requests.ts: what clients ask of v2, with what they know.
import type { Kind, Wanted } from './wanted.ts'

export interface WriteRequest {
  /** Unique over all processes. */
  readonly operation: number
  readonly principal: string
  readonly verb: 'create' | 'replace' | 'patch' | 'delete'
  readonly kind: Kind
  readonly id: string
  /** The version that the client has seen; null for a create. */
  readonly version: number | null
  /** The wanted state; null for a deletion. */
  readonly wanted: Wanted | null
}

/** The known state and version of a resource. */
export interface KnownVersion {
  readonly wanted: Wanted
  readonly change: number
}
