import { contractNow, storeContract } from '../../../testing/src/store-contract.ts'
import { MemoryStore } from './memory-store.ts'

storeContract('memory', async () => {
  const store = new MemoryStore(() => contractNow)
  return {
    store,
    reopen: async () => store,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})
