// The door for tests that fill a store.
export { batch, event, identity } from './samples.ts'
