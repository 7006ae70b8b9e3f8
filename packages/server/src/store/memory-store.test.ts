import { storeContract } from '@pulseward/testing/store-contract'
import { MemoryStore } from './memory-store.ts'

storeContract('memory', async (now) => {
  const store = new MemoryStore(now)
  return {
    store,
    reopen: async () => store,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})
