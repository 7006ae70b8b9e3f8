// api/v2/routes/worker-routes.ts: the routes for workers. The principal determines which job types a worker
// may request; the job desk decides what it may do with a job.
import type { v2 } from '@pulseward/contract'
import type { Principal } from '../../../access/principals-format.ts'
import type { ExternalJobs } from '../../../external-workers/external-jobs.ts'
import type { Incarnations } from '../../../external-workers/incarnations.ts'
import type { LateReports } from '../../../external-workers/late-reports.ts'
import type { Offer } from '../../../external-workers/lease-table.ts'
import type { Received, Refusal } from '../../../external-workers/receipt.ts'
import type { WorkerDesk } from '../../../external-workers/worker-desk.ts'
import { timestamp } from '../../../platform/wire.ts'
import { V2Problem } from '../../../requests/v2-problem.ts'
import type { ListPages } from '../list-pages.ts'
import { type V2Route, v2Read, v2Route } from '../v2-route.ts'

export interface WorkerRoutesOptions {
  readonly jobs: ExternalJobs
  readonly desk: WorkerDesk
  readonly late: LateReports
  readonly incarnations: Incarnations
  /** The id of this store. */
  readonly serverId: string
  readonly pages: ListPages
  readonly position: () => number
}

const nothing: readonly Offer[] = []

export function workerRoutes(options: WorkerRoutesOptions): V2Route[] {
  const { jobs, desk, late, serverId: serverID, pages, position } = options
  return [
    {
      ...v2Route('WorkerPoll', async ({ principal, body, whenOver }) => {
        const poll = pollOf(principal, body)
        const offers = jobs.offersFor(poll)
        const waitMs = body.waitSeconds * 1_000
        if (offers.length > 0 || waitMs === 0) return { body: await assignments(options, offers) }
        if (jobs.polls.isFull) throw new V2Problem('tooBusy', 'Too many workers wait; try again in a moment.')
        const later = await jobs.polls.wait(poll, waitMs, nothing, whenOver)
        return { body: await assignments(options, later) }
      }),
      waits: true,
    },
    v2Route('WorkerStart', async ({ principal, body }) => {
      const started = accepted(await desk.start(principal.name, body))
      const { disposition, grantId: grantID, deadline, receiptId: receiptID } = started
      return { body: { disposition, grantID, serverID, deadline: timestamp(deadline), receiptID } }
    }),
    v2Route('WorkerHeartbeat', async ({ principal, body }) => {
      const { accepted: isAccepted } = accepted(await desk.heartbeat(principal.name, body))
      return { body: { serverID, accepted: isAccepted } }
    }),
    v2Route('WorkerResult', async ({ principal, body }) => {
      const received = accepted(await desk.result(principal.name, body))
      return { body: receipt(body.executionID, received, serverID) }
    }),
    v2Route('WorkerLateEvidence', async ({ principal, body }) => {
      const received = accepted(await late.evidence(principal.name, body))
      return { body: receipt(body.executionID, received, serverID) }
    }),
    v2Read('ListWorkers', (asked) => ({
      body: pages
        .open('ListWorkers', asked, position())
        .bodyOf(observations(jobs), ({ workerID }) => workerID),
    })),
  ]
}

/** The problem names the first job type that the worker may not run; the worker gets no jobs. */
function pollOf({ name, digest, jobTypes }: Principal, body: v2.PollRequest) {
  const { workerID: workerId, capacity, limit } = body
  const capabilities = body.capabilities.map(({ jobTypeID: jobType, kind, version }) => ({
    jobType,
    kind,
    version,
  }))
  const place = capabilities.findIndex(({ jobType }) => !jobTypes.includes(jobType))
  if (place >= 0)
    throw new V2Problem('forbidden', `${name} was not granted the job type of capability ${place + 1}.`)
  return { worker: { principal: name, workerId }, digest, capabilities, capacity, limit }
}

async function assignments(
  { jobs, incarnations, serverId: serverID }: WorkerRoutesOptions,
  offers: readonly Offer[],
): Promise<v2.Assignments> {
  const uids = await incarnations.of(offers.map(({ open: { job } }) => job))
  const items = offers.map(({ open, lease, revision }, place) => {
    const { job } = open
    return {
      executionID: job.executionId,
      executionRevision: String(revision),
      leaseID: lease.id,
      serverID,
      monitorID: job.monitorId ?? '',
      incarnationUID: uids[place] ?? '',
      jobTypeID: job.jobType,
      kind: job.kind,
      jobTypeVersion: job.version,
      parameters: job.parameters,
      credentialProfile: job.profile,
      deadline: timestamp(jobs.at(jobs.nowMs + job.timeoutMs)),
    }
  })
  return { serverID, items }
}

function receipt(executionID: string, { receiptId, disposition }: Received, serverID: string): v2.Receipt {
  return { executionID, receiptID: receiptId, disposition, serverID }
}

/** Sorted by name: two principals may have workers of the same name, which are then adjacent. */
function observations(jobs: ExternalJobs): v2.WorkerObservation[] {
  const { roster } = jobs.table
  return Array.from(roster.all, ({ workerId, capacity, active, lastSeenMs }) => ({
    workerID: workerId,
    capacity,
    active,
    lastSeenAt: timestamp(jobs.at(lastSeenMs)),
  })).sort((one, other) => (one.workerID < other.workerID ? -1 : 1))
}

function accepted<Answer extends object>(answer: Answer | Refusal): Answer {
  if (!('kind' in answer)) return answer
  switch (answer.kind) {
    case 'not found':
      throw new V2Problem('notFound', 'There is no such job of this worker.')
    case 'conflict':
      throw new V2Problem('evidenceConflict', 'A different report about this job was already received.')
    case 'wrong':
      throw new V2Problem('invalidResource', 'The report does not fit the job.', { errors: answer.mistakes })
    case 'unavailable':
      throw new V2Problem('unavailable', 'This could not be stored now; send the same request again.', {
        retryAfterSeconds: 1,
      })
  }
}
