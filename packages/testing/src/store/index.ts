// The door for tests that fill a store. Loads nothing of the test runner.
export { earlierFormats, earlierStore } from './earlier-stores.ts'
export {
  action,
  batch,
  deletion,
  event,
  health,
  identity,
  monitorIdOf,
  operation,
  resource,
  sloSnapshot,
} from './samples.ts'
