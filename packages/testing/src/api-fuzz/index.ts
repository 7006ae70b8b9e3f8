// The door for hostile requests by the thousand. Loads nothing of the test runner.
export { fuzzApi } from './fuzz-api.ts'
export type { V2Tokens } from './hostile-v2-request.ts'
