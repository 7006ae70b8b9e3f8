// Entry point of the failover harness, which strikes several services on one store. It does not load the test runner.

export { type FailoverReport, runFailover } from './failover-run.ts'
export { measureTakeover } from './takeover-time.ts'
