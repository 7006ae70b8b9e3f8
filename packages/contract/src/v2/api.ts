// v2/api.ts: v2 as one value, in the shape that generators of documents read.
import type { Api } from '../operation.ts'
import { examples, requestExamples } from './examples.ts'
import { operations } from './operations.ts'
import { commonProblems, problems } from './problems.ts'
import { Problem } from './wire/problem.ts'
import { wireTypes } from './wire-types.ts'

export const v2Api: Api = {
  prefix: 'v2',
  logins: ['bearer'],
  operations,
  problems,
  commonProblems,
  problemSchema: Problem,
  schemas: wireTypes,
  examples,
  requestExamples,
}
