// store-contract/store-under-test.ts: how the contract opens the stores that it tests.
import type { StoreBounds } from '@pulseward/server/internal/store/retention.ts'
import type { Store } from '@pulseward/server/internal/store/store.ts'

export interface StoreUnderTest extends AsyncDisposable {
  readonly store: Store
  /** Closes the store, if it can be closed, and opens it again. */
  reopen(): Promise<Store>
  /** Another run takes the store over. */
  fence(): Promise<void>
}

/** Opens a new store. */
export type OpenStore = (now: () => number, bounds?: StoreBounds) => Promise<StoreUnderTest>
