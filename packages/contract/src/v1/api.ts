// v1/api.ts: v1 as a whole, for whoever makes something from it: the OpenAPI document, the docs, the tests.
import type { Api } from '../operation.ts'
import { v1Examples } from './examples.ts'
import { v1Operations } from './operations.ts'
import { commonProblems, Problem, problems } from './problem.ts'
import { v1Schemas } from './schemas.ts'

export const v1Api = {
  prefix: 'v1',
  logins: ['bearer', 'basic'],
  operations: v1Operations,
  problems,
  commonProblems,
  problemSchema: Problem,
  schemas: v1Schemas,
  examples: v1Examples,
} as const satisfies Api
