// v1/api.ts: v1 as one value, for everything that is generated from it: the OpenAPI document, the docs, the tests.
import type { Api } from '../operation.ts'
import { v1Examples } from './examples.ts'
import { v1Operations } from './operations.ts'
import { commonProblems, Problem, problems } from './problem.ts'
import { v1Schemas } from './schemas.ts'

export const v1Api = {
  prefix: 'v1',
  logins: ['bearer', 'basic'],
  operations: v1Operations,
  tags: {
    health: 'Whether the process is alive and can do its work.',
    fleet: 'The monitors and their open incidents.',
    controller: 'The stages, queues and worker pools of the controller.',
    service: 'The settings that may be shown, and metrics.',
    records: 'The store, retained events and service levels.',
    additions: 'This document, the event stream, the map and trends, which the dashboard uses.',
  },
  problems,
  commonProblems,
  problemSchema: Problem,
  schemas: v1Schemas,
  examples: v1Examples,
} as const satisfies Api
