// external-workers/workers-view.ts: workers and jobs as they are now, for v1 and for metrics. The size is
// bounded, however many workers there are.
import { type ExternalWorkers, v1Limits } from '@pulseward/contract'
import { timestamp } from '../platform/wire.ts'
import type { ExternalJobs } from './external-jobs.ts'
import type { JobCounts } from './job-counts.ts'

/** A worker polls at least every 30 seconds. One that has not called for this long is gone or busy elsewhere. */
const seenLatelyMs = 60_000

export function workersView(jobs: ExternalJobs): ExternalWorkers {
  const { table, polls } = jobs
  // The roster is nearly in this order already, so sorting takes one pass.
  const known = [...table.roster.all].sort((one, other) => other.lastSeenMs - one.lastSeenMs)
  const shown = known.slice(0, v1Limits.workersShown)
  return {
    workers: shown.map(({ workerId, principal, capacity, active, lastSeenMs }) => ({
      worker: workerId,
      principal,
      capacity,
      active,
      last_seen_at: timestamp(jobs.at(lastSeenMs)),
    })),
    more: known.length - shown.length,
    waiting_polls: polls.size,
    waiting_jobs: table.size - table.runningCount,
    running_jobs: table.runningCount,
  }
}

export interface WorkerFigures {
  readonly workersSeen: number
  readonly waitingPolls: number
  readonly waitingJobs: number
  readonly runningJobs: number
  readonly counts: JobCounts
}

export function workerFigures({ table, polls, nowMs }: ExternalJobs): WorkerFigures {
  let workersSeen = 0
  for (const { lastSeenMs } of table.roster.all) if (nowMs - lastSeenMs <= seenLatelyMs) workersSeen++
  return {
    workersSeen,
    waitingPolls: polls.size,
    waitingJobs: table.size - table.runningCount,
    runningJobs: table.runningCount,
    counts: table.counts,
  }
}
