import { storeContract } from '@pulseward/testing/store-contract'
import { MemoryStore } from './memory-store.ts'

storeContract('memory', async (now, bounds) => {
  const store = new MemoryStore(now, bounds)
  return {
    store,
    reopen: async () => store,
    fence: async () => store.fence(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})
