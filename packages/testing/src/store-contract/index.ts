// Entry point for tests of stores.
export { storeContract } from './store-contract.ts'
