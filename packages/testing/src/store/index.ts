// Entry point for tests that fill a store. It does not load the test runner.
export { earlierFormats, earlierStore } from './earlier-stores.ts'
export { besideHead, besideItem, besidePrincipals, fillBeside } from './filled-beside.ts'
export { fillStore } from './filled-store.ts'
export { loseStaged } from './lost-staging.ts'
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
export { testStoreMode, testStoreSetting } from './test-database.ts'
export { closeTestStores, testStores } from './test-store.ts'
