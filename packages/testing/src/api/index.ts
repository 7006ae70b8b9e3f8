// The door for tests of the API: its listener, its answers held against the contract, and its metrics read strictly.
export { expectV1Answer, expectV1Problem } from './api-answers.ts'
export { deafClient, exchange, getRequest, listeningApi } from './api-listener.ts'
export { readMetrics } from './openmetrics.ts'
export { mistakesIn } from './schema-mistakes.ts'
export { expectV2Answer, expectV2Problem } from './v2-answers.ts'
