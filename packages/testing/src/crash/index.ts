// The door for what kills the real service again and again. Loads nothing of the test runner.

export { runBulkCrashes } from './bulk-crash-run.ts'
export { runCrashes } from './crash-run.ts'
export { runWorkerCrashes } from './worker-crash-run.ts'
