// v2/operations/bulk.ts: many resources in one operation: create, upload, validate, activate, poll, cancel.
// These have no precondition, because every item has its own.
import type { TSchema } from 'typebox'
import { limits } from '../limits.ts'
import type { ProblemCode } from '../problems.ts'
import {
  Operation,
  OperationCreateRequest,
  Preflight,
  PreflightRequest,
  UploadRequest,
} from '../wire/apply.ts'
import {
  answer,
  bodyProblems,
  idParameter,
  jsonBody,
  operation,
  pages,
  servedBy,
  writeProblems,
} from './parts.ts'

const tag = 'Operations'
const here = { id: '$response.body#/id' }

export const bulkOperations = {
  PreflightCollection: operation({
    summary: 'Validates a collection and keeps nothing',
    method: 'POST',
    path: '/api/v2/collections/preflight',
    tag,
    ...servedBy,
    body: jsonBody(PreflightRequest),
    answers: { 200: answer('Validated', Preflight, 'read') },
    problems: [...bodyProblems, ...writeProblems, 'operationConflict'],
  }),
  CreateOperation: operation({
    summary: 'Opens an operation for a collection, or for a control of many monitors',
    method: 'POST',
    path: '/api/v2/operations',
    tag,
    ...servedBy,
    body: jsonBody(OperationCreateRequest),
    answers: {
      201: answer('Opened', Operation, 'opened', {
        UploadOperation: here,
        ValidateOperation: here,
        ActivateOperation: here,
        CancelOperation: here,
        GetOperation: here,
      }),
    },
    problems: [...bodyProblems, ...writeProblems],
  }),
  UploadOperation: operation({
    summary: 'Stages items of a collection; the same items again are accepted, changed ones are not',
    method: 'PUT',
    path: '/api/v2/operations/{id}/items',
    tag,
    ...servedBy,
    pathParameters: idParameter,
    body: jsonBody(UploadRequest, limits.uploadBytes),
    answers: { 200: answer('Staged', Operation, 'done', { ValidateOperation: here, GetOperation: here }) },
    problems: [...bodyProblems, ...operationProblems()],
  }),
  ValidateOperation: step(
    'validate',
    'Validates the whole collection; one error means no change. A repeated request returns what is known by then',
    Preflight,
  ),
  ActivateOperation: step(
    'activate',
    'Applies what was validated, item by item in the order of dependencies; what failed undoes nothing',
    Operation,
  ),
  CancelOperation: step('cancel', 'Stops what remains of an operation and undoes nothing', Operation),
  GetOperation: operation({
    summary: 'Reads an operation and a page of its outcomes',
    method: 'GET',
    path: '/api/v2/operations/{id}',
    tag,
    ...servedBy,
    pathParameters: idParameter,
    ...pages,
    answers: {
      200: answer('As it is now', Operation, 'readOperation', {
        ActivateOperation: here,
        CancelOperation: here,
      }),
    },
    problems: ['notFound', 'operationExpired', 'invalidCursor', 'cursorExpired'],
  }),
} as const

function operationProblems(): readonly ProblemCode[] {
  return ['notFound', 'operationExpired', 'operationConflict', ...writeProblems]
}

function step<Schema extends TSchema>(verb: string, summary: string, schema: Schema) {
  return operation({
    summary,
    method: 'POST',
    path: `/api/v2/operations/{id}/${verb}`,
    tag,
    ...servedBy,
    pathParameters: idParameter,
    answers: { 200: answer('Done, or in progress', schema, 'done') },
    problems: operationProblems(),
  })
}
