// store/beside.ts: what other threads may do with a store, beside the one that owns it: read what is committed, and stage
// what is not. They open it by an address that crosses threads; only the wiring knows which kind of store that means.
import type { ResourceReader } from './resource-reader.ts'
import type { Staging } from './staging.ts'

/** Plain data, for the store that gave it. */
export interface BesideAddress {
  readonly mode: string
  readonly place: string
}

export interface StoreBeside extends Disposable {
  readonly resources: ResourceReader
  readonly staging: Staging
}
