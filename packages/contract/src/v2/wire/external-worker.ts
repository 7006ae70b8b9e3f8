// v2/wire/external-worker.ts: the protocol between the service and a worker: poll, start, heartbeat, result,
// late evidence. An offer is not a permission; a grant is, and is given once.
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { jobKinds } from './job-type.ts'
import {
  count,
  countGiven,
  flag,
  identifier,
  listing,
  listOf,
  oneOf,
  revision,
  text,
  textOfBytes,
  timestamp,
  wireType,
} from './wire-type.ts'

const job = {
  jobTypeID: identifier('The job type.'),
  kind: oneOf(jobKinds, 'Whether it is a check, a recovery or a notification.'),
}
const execution = { executionID: text('The execution.', { minLength: 1, maxLength: 128 }) }
const grant = { grantID: text('The grant that start gave; empty when it gave none.', { maxLength: 128 }) }
const server = {
  serverID: text(
    'The store of the service that answered: the same after a restart, another for another service.',
  ),
}
const worker = { workerID: identifier('The worker.') }
const receipt = { receiptID: text('The receipt of the result; empty while there is none.') }

export const WorkerCapability = wireType('WorkerCapability', 'One thing that a worker can do.', {
  ...job,
  version: text('The version of the job type.', { minLength: 1, maxLength: 128 }),
})

export const PollRequest = wireType('PollRequest', 'A worker asks for work.', {
  ...worker,
  capabilities: Type.Array(WorkerCapability, { minItems: 1, maxItems: 256, description: 'What it can do.' }),
  capacity: countGiven('How many jobs it can run at once.'),
  limit: Type.Integer({
    minimum: 1,
    maximum: limits.pollOffers,
    default: limits.pollOffersDefault,
    description: 'How many offers it takes.',
  }),
  waitSeconds: Type.Integer({
    minimum: 0,
    maximum: limits.pollWaitSeconds,
    description: 'How long it waits for the first offer.',
  }),
})

export const Assignment = wireType('Assignment', 'An offer. It becomes work only when start grants it.', {
  ...execution,
  executionRevision: revision('Fences this execution.'),
  leaseID: text(`Reserves the offer until it is started, for at most ${limits.startLeaseSeconds} seconds.`),
  ...server,
  monitorID: text('The monitor that it is for.'),
  incarnationUID: text('The incarnation of that monitor.'),
  ...job,
  jobTypeVersion: text('The version of the job type.'),
  parameters: Type.Unknown({ description: 'What the job gets; fits the parameterSchema of the job type.' }),
  credentialProfile: text(
    'The name of a secret that the worker keeps itself, from credentialRefs.profile of the driver; empty without one.',
  ),
  deadline: timestamp('When it must have ended.'),
})

export const Assignments = wireType('Assignments', 'Offers to a worker.', {
  ...server,
  items: Type.Array(Assignment, { maxItems: limits.pollOffers }),
})

export const StartRequest = wireType('StartRequest', 'A worker wants to begin.', {
  ...execution,
  leaseID: text('The lease of the offer.', { minLength: 1, maxLength: 128 }),
  executionRevision: revision('The executionRevision of the offer.'),
})

export const startDispositions = ['granted', 'started', 'pending', 'unknown', 'terminal', 'rejected'] as const

export const StartResponse = wireType(
  'StartResponse',
  'Whether a worker may begin. Only granted is permission.',
  {
    disposition: oneOf(startDispositions, 'A repeated start grants nothing new.'),
    ...grant,
    ...server,
    deadline: timestamp('When it must have ended.'),
    ...receipt,
  },
)

export const HeartbeatRequest = wireType('HeartbeatRequest', 'A worker is still running a job.', {
  ...worker,
  ...execution,
  ...grant,
})

export const HeartbeatResponse = wireType('HeartbeatResponse', 'Whether it still has its grant.', {
  ...server,
  accepted: flag('False: stop. The deadline is not extended either way.'),
})

/** The statuses of an outcome, by kind of job. */
export const outcomeStatuses = {
  check: ['success', 'failure', 'noData'],
  recovery: ['accepted', 'completed', 'rejected', 'unknown'],
  notification: ['accepted', 'delivered', 'rejected', 'unknown'],
} as const

export const everyOutcomeStatus = [
  'success',
  'failure',
  'noData',
  'accepted',
  'completed',
  'delivered',
  'rejected',
  'unknown',
] as const

const evidence = {
  evidence: Type.Optional(
    listing(
      textOfBytes('An entry.', { maxBytes: limits.evidenceEntryBytes }),
      'At most 64 entries of 4 KiB.',
      { maxItems: limits.evidenceEntries },
    ),
  ),
  diagnostic: Type.Optional(
    textOfBytes('What people may want to read: at most 64 KiB.', { maxBytes: limits.diagnosticBytes }),
  ),
  data: Type.Optional(
    Type.Unknown({
      description: 'The result, at most 256 KiB of JSON; fits the resultSchema of the job type.',
    }),
  ),
}

export const Outcome = wireType('Outcome', 'How a job ended. The same outcome again gets the same receipt.', {
  ...execution,
  ...grant,
  kind: job.kind,
  status: oneOf(
    everyOutcomeStatus,
    'Check: success, failure, noData. Recovery: accepted, completed, rejected, unknown. Notification: accepted, delivered, rejected, unknown.',
  ),
  ...evidence,
  diagnosticTruncated: Type.Optional(flag('Whether the diagnostic was cut.')),
  rejectionCode: Type.Optional(text('Why it was rejected: a code of the job type.')),
})

export const receiptDispositions = ['accepted', 'finalized', 'unknown'] as const

export const Receipt = wireType('Receipt', 'What the service has recorded of a job.', {
  ...execution,
  ...receipt,
  disposition: oneOf(
    receiptDispositions,
    'What became of the result. Unknown: it came after the deadline and is kept as late evidence.',
  ),
  ...server,
})

export const LateEvidenceRequest = wireType(
  'LateEvidenceRequest',
  'What became known after the end. It is appended and never rewrites a finished outcome. A job may have 64 pieces of it, 4 MiB in all.',
  {
    ...execution,
    evidenceID: text('Tells one piece of evidence from another.', { minLength: 1, maxLength: 128 }),
    originalReceiptID: text('The receipt that it belongs to.', { minLength: 1, maxLength: 128 }),
    ...evidence,
  },
)

export const WorkerObservation = wireType(
  'WorkerObservation',
  'A worker as the service sees it, by principal and workerID.',
  {
    ...worker,
    capacity: count('How many jobs it can run at once.'),
    active: count('How many it runs.'),
    lastSeenAt: timestamp('When it called last.'),
  },
)
export const WorkerObservationList = listOf('WorkerObservationList', WorkerObservation)

export type PollRequest = Static<typeof PollRequest>
export type Assignment = Static<typeof Assignment>
export type Assignments = Static<typeof Assignments>
export type StartRequest = Static<typeof StartRequest>
export type StartResponse = Static<typeof StartResponse>
export type HeartbeatRequest = Static<typeof HeartbeatRequest>
export type HeartbeatResponse = Static<typeof HeartbeatResponse>
export type Outcome = Static<typeof Outcome>
export type Receipt = Static<typeof Receipt>
export type LateEvidenceRequest = Static<typeof LateEvidenceRequest>
export type WorkerObservation = Static<typeof WorkerObservation>
export type WorkerObservationList = Static<typeof WorkerObservationList>
