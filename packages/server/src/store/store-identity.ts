// store/store-identity.ts: creates the identity of a new store, or of one from before stores had identities.
import { randomBytes, randomUUID } from 'node:crypto'
import type { StoreIdentity } from './store.ts'

const keyBytes = 32

export function newStoreIdentity(): StoreIdentity {
  return { id: randomUUID(), key: randomBytes(keyBytes) }
}
