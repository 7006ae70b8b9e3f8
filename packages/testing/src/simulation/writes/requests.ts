// simulation/writes/requests.ts: what clients ask of v2, as they know it themselves.
import type { Kind, Wanted } from './wanted.ts'

export interface WriteRequest {
  /** No two requests have the same, over all processes. */
  readonly operation: number
  readonly principal: string
  readonly verb: 'create' | 'replace' | 'patch' | 'delete'
  readonly kind: Kind
  readonly id: string
  /** The version that the client has seen; null for a create. */
  readonly version: number | null
  /** What it should be afterwards; null for a deletion. */
  readonly wanted: Wanted | null
}

/** How a resource is known to be, and in which version. */
export interface KnownVersion {
  readonly wanted: Wanted
  readonly change: number
}
