// v2/api.ts: v2 as one value, in the form that generators of documents read.
import type { Api } from '../operation.ts'
import { additionNames } from './additions.ts'
import { examples, requestExamples } from './examples.ts'
import { addedKinds, kinds, type ResourceKind } from './kinds.ts'
import { tagOf } from './operations/resources.ts'
import { operations } from './operations.ts'
import { commonProblems, problems } from './problems.ts'
import { Problem } from './wire/problem.ts'
import { wireTypes } from './wire-types.ts'
import { wordLists } from './word-lists.ts'

export const v2Api: Api = {
  prefix: 'v2',
  logins: ['bearer'],
  needsPrincipal: true,
  operations,
  additions: additionNames,
  tags: {
    Monitors: 'What is watched, how, and what is done about it.',
    'Notification endpoints': 'Where notifications go.',
    'Notification groups': 'Endpoints under one name.',
    Credentials: 'Secrets that checks, recoveries and notifications use; their values are never shown.',
    'Job types': 'What external workers may do.',
    Incidents: 'Outages of monitors, and what people do about them.',
    Actions: 'Recoveries and notifications, and the review of those whose outcome is unknown.',
    Operations: 'Changes of many resources at once, validated first and then applied.',
    Trials: 'Drafts that are tried before they are saved. Nothing of them is kept.',
    Service: 'The state, figures and abilities of the service itself.',
    'External workers': 'Jobs for workers outside the service.',
    ...Object.fromEntries(addedKinds.map((kind: ResourceKind) => [tagOf(kind), kinds[kind].about])),
  },
  problems,
  commonProblems,
  problemSchema: Problem,
  schemas: { ...wireTypes, ...wordLists },
  examples,
  requestExamples,
}
