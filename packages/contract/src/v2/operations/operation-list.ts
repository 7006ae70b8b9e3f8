// v2/operations/operation-list.ts: the list of operations, so that people can find and cancel those that block others.
import { Type } from 'typebox'
import { OperationList, operationStates } from '../wire/apply.ts'
import { oneOf } from '../wire/wire-type.ts'
import { answer, filteredBy, listProblems, operation, servedBy } from './parts.ts'

const state = Type.Optional(oneOf(operationStates, 'Only operations in this state.'))
const { queryParameters } = filteredBy()

export const operationAdditions = {
  ListOperations: operation({
    summary: 'Lists collections and controls of many monitors, the newest first; without outcomes of items',
    method: 'GET',
    path: '/api/v2/operations',
    tag: 'Operations',
    ...servedBy,
    filters: ['state'],
    queryParameters: Type.Object({ ...queryParameters.properties, state }, { additionalProperties: false }),
    answers: { 200: answer('A page of the list', OperationList, 'read') },
    problems: listProblems,
  }),
} as const
