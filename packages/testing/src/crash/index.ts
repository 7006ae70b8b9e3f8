// Entry point of the crash harnesses, which kill the real service repeatedly. It does not load the test runner.

export { runBulkCrashes } from './bulk-crash-run.ts'
export { runCrashes } from './crash-run.ts'
export { runWorkerCrashes } from './worker-crash-run.ts'
