// v2/operations/external-workers.ts: the protocol of workers outside the service; served only if external jobs are on.
import type { TSchema } from 'typebox'
import type { ProblemCode } from '../problems.ts'
import {
  Assignments,
  HeartbeatRequest,
  HeartbeatResponse,
  LateEvidenceRequest,
  Outcome,
  PollRequest,
  Receipt,
  StartRequest,
  StartResponse,
  WorkerObservationList,
} from '../wire/external-worker.ts'
import {
  answer,
  bodyProblems,
  filteredBy,
  jsonBody,
  listProblems,
  operation,
  servedBy,
  writeProblems,
} from './parts.ts'

const shared = { tag: 'External workers', ...servedBy, build: 'external_jobs' } as const

export const externalWorkerOperations = {
  ListWorkers: operation({
    ...shared,
    summary: 'Lists external workers as the service sees them',
    method: 'GET',
    path: '/api/v2/external-workers',
    ...filteredBy(),
    answers: { 200: answer('A page of the list', WorkerObservationList, 'read') },
    problems: [...listProblems, 'featureUnavailable'],
  }),
  WorkerPoll: call('poll', { body: PollRequest, answer: Assignments, summary: 'Waits for offers' }),
  WorkerStart: call('start', {
    body: StartRequest,
    answer: StartResponse,
    summary: 'Asks for the grant to begin; given once',
    problems: ['notFound'],
  }),
  WorkerHeartbeat: call('heartbeat', {
    body: HeartbeatRequest,
    answer: HeartbeatResponse,
    summary: 'Says that a job still runs; the deadline stays',
    problems: ['notFound'],
  }),
  WorkerResult: call('result', {
    body: Outcome,
    answer: Receipt,
    summary: 'Reports how a job ended; the same report again gets the same receipt',
    problems: ['notFound', 'evidenceConflict'],
  }),
  WorkerLateEvidence: call('late-evidence', {
    body: LateEvidenceRequest,
    answer: Receipt,
    summary: 'Adds what became known after the end',
    problems: ['notFound', 'evidenceConflict'],
  }),
} as const

interface Call<Body extends TSchema, Answered extends TSchema> {
  readonly body: Body
  readonly answer: Answered
  readonly summary: string
  readonly problems?: readonly ProblemCode[]
}

function call<Body extends TSchema, Answered extends TSchema>(verb: string, what: Call<Body, Answered>) {
  return operation({
    ...shared,
    summary: what.summary,
    method: 'POST',
    path: `/api/v2/external-workers/${verb}`,
    body: jsonBody(what.body),
    answers: { 200: answer('Answered', what.answer, 'worker') },
    problems: [...bodyProblems, ...writeProblems, ...(what.problems ?? []), 'featureUnavailable'],
  })
}
