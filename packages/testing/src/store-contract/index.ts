// The door for tests of stores.
export { storeContract } from './store-contract.ts'
