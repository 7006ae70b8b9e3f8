// Entry point for tests of the API: its listener, answers checked against the contract, and a strict reader
// of its metrics.
export { expectV1Answer, expectV1Problem } from './api-answers.ts'
export { deafClient, exchange, getRequest, listeningApi } from './api-listener.ts'
export { readMetrics } from './openmetrics.ts'
export { mistakesIn } from './schema-mistakes.ts'
export { expectV2Answer, expectV2Problem } from './v2-answers.ts'
