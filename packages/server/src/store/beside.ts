// store/beside.ts: what other threads may do with a store that they do not own: read committed data, and
// stage uncommitted items. They open it by an address that can be sent to a thread; only the wiring knows
// which kind of store that is.
import type { ResourceReader } from './resource-reader.ts'
import type { Staging } from './staging.ts'

/** Plain data that only the issuing kind of store understands. */
export interface BesideAddress {
  readonly mode: string
  readonly place: string
}

export interface StoreBeside extends Disposable {
  readonly resources: ResourceReader
  readonly staging: Staging
}
