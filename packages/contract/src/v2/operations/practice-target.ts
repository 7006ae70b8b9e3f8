// v2/operations/practice-target.ts: the built-in target that the page switches off and on at first use.
import { PracticeSwitch, PracticeTarget } from '../wire/practice-target.ts'
import { answer, jsonBody, operation, servedBy, writeProblems } from './parts.ts'

const at = { path: '/api/v2/practice-target', tag: 'Service', ...servedBy } as const

export const practiceTargetOperations = {
  GetPracticeTarget: operation({
    summary: 'Reads the target that can be made to fail, to see an incident before one happens',
    method: 'GET',
    ...at,
    answers: { 200: answer('The target', PracticeTarget, 'read') },
    problems: [],
  }),
  SwitchPracticeTarget: operation({
    summary: 'Makes the practice target fail, for at most ten minutes, or answer again',
    method: 'PUT',
    ...at,
    body: jsonBody(PracticeSwitch),
    answers: { 200: answer('The target', PracticeTarget, 'read') },
    problems: ['bodyTooLarge', 'unsupportedMediaType', ...writeProblems],
  }),
} as const
