// v2/examples/external-workers.ts: one job through its stages: offered, started, kept alive, reported, and
// late evidence about it.
import type {
  Assignments,
  HeartbeatRequest,
  HeartbeatResponse,
  LateEvidenceRequest,
  Outcome,
  PollRequest,
  Receipt,
  StartRequest,
  StartResponse,
  WorkerObservation,
  WorkerObservationList,
} from '../wire/external-worker.ts'
import { pageOf } from './page.ts'

const workerID = 'worker-berlin-1'
const executionID = 'exe-01JQ8X5A'
const grantID = 'grant-01JQ8X5B'
const serverID = 'store-01JQ8X00'
const receiptID = 'rcp-01JQ8X5C'
const deadline = '2026-03-29T01:00:35.000Z'

const poll: PollRequest = {
  workerID,
  capabilities: [{ jobTypeID: 'queue-depth', version: '1', kind: 'check' }],
  capacity: 8,
  limit: 16,
  waitSeconds: 25,
}

const assignments: Assignments = {
  serverID,
  items: [
    {
      executionID,
      executionRevision: '9032',
      leaseID: 'lease-01JQ8X5D',
      serverID,
      monitorID: 'billing-queue',
      incarnationUID: '01JQ8X3V5R7T9W1Y3A5C7E9G6P',
      jobTypeID: 'queue-depth',
      jobTypeVersion: '1',
      kind: 'check',
      parameters: { queue: 'billing' },
      credentialProfile: 'broker-read',
      deadline,
    },
  ],
}

const outcome: Outcome = {
  executionID,
  grantID,
  kind: 'check',
  status: 'failure',
  diagnostic: 'the queue holds 48,211 messages',
  diagnosticTruncated: false,
  evidence: ['broker answered in 12 ms'],
  data: { depth: 48_211 },
}

const observation: WorkerObservation = {
  workerID,
  capacity: 8,
  active: 1,
  lastSeenAt: '2026-03-29T01:00:04.000Z',
}

export const externalWorkerExamples = {
  PollRequest: poll,
  Assignments: assignments,
  StartRequest: { executionID, leaseID: 'lease-01JQ8X5D', executionRevision: '9032' } satisfies StartRequest,
  StartResponse: {
    disposition: 'granted',
    grantID,
    serverID,
    deadline,
    receiptID: '',
  } satisfies StartResponse,
  HeartbeatRequest: { workerID, executionID, grantID } satisfies HeartbeatRequest,
  HeartbeatResponse: { serverID, accepted: true } satisfies HeartbeatResponse,
  Outcome: outcome,
  Receipt: { executionID, receiptID, disposition: 'accepted', serverID } satisfies Receipt,
  LateEvidenceRequest: {
    executionID,
    evidenceID: 'ev-1',
    originalReceiptID: receiptID,
    evidence: ['the broker was restarted at 01:00:12'],
  } satisfies LateEvidenceRequest,
  WorkerObservationList: pageOf(observation) satisfies WorkerObservationList,
}
