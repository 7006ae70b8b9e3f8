// Entry point of the API fuzzer. It does not load the test runner.
export { fuzzApi } from './fuzz-api.ts'
export type { V2Tokens } from './hostile-v2-request.ts'
