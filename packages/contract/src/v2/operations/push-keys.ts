// v2/operations/push-keys.ts: keys for jobs that report by themselves, made by the service.
import { PushKey, PushKeyRequest } from '../wire/push-key.ts'
import { answer, bodyProblems, jsonBody, operation, servedBy, writeProblems } from './parts.ts'

export const pushKeyOperations = {
  CreatePushKey: operation({
    summary:
      'Makes a key for a job that reports by itself, as the value of a new credential; tells it only here',
    method: 'POST',
    path: '/api/v2/push-keys',
    tag: 'Credentials',
    ...servedBy,
    body: jsonBody(PushKeyRequest),
    answers: {
      201: answer('The key, told only once', PushKey, 'created', {
        GetCredential: { id: '$response.body#/credential' },
      }),
    },
    problems: ['versionConflict', ...bodyProblems, ...writeProblems],
  }),
} as const
