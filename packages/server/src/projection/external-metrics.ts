// projection/external-metrics.ts: workers outside the service and their jobs, as families of metrics. Neither workers nor job
// types are labels: there may be any number of them.
import { v2 } from '@pulseward/contract'
import type { Family } from '../telemetry/exposition.ts'
import { counter, gauge } from './metric-families.ts'

type JobKind = keyof typeof v2.outcomeStatuses

export interface ExternalFigures {
  readonly workersSeen: number
  readonly waitingPolls: number
  readonly waitingJobs: number
  readonly runningJobs: number
  /** Since the process started. */
  readonly counts: {
    readonly granted: number
    readonly offersNotStarted: number
    readonly notStarted: number
    readonly withoutReport: number
    results(kind: JobKind, status: v2.Outcome['status']): number
  }
}

const kinds = Object.keys(v2.outcomeStatuses) as JobKind[]

export function externalFamilies(figures: ExternalFigures | null): Family[] {
  if (figures === null) return []
  const { workersSeen, waitingPolls, waitingJobs, runningJobs, counts } = figures
  return [
    gauge('external_workers', 'External workers that called in the last minute.', [{ value: workersSeen }]),
    gauge('external_polls_waiting', 'Polls of external workers that wait for work.', [
      { value: waitingPolls },
    ]),
    gauge('external_jobs_waiting', 'External jobs that no worker has started.', [{ value: waitingJobs }]),
    gauge('external_jobs_running', 'External jobs that were granted and have not ended.', [
      { value: runningJobs },
    ]),
    counter('external_jobs_granted', 'External jobs that were granted to a worker.', [
      { value: counts.granted },
    ]),
    counter(
      'external_results',
      'Results that external workers reported in time.',
      kinds.flatMap((kind) =>
        v2.outcomeStatuses[kind].map((status) => ({
          labels: { kind, status },
          value: counts.results(kind, status),
        })),
      ),
    ),
    counter('external_offers_not_started', 'Offers whose worker did not start the job before they passed.', [
      { value: counts.offersNotStarted },
    ]),
    counter('external_jobs_not_started', 'External jobs that no worker started in time.', [
      { value: counts.notStarted },
    ]),
    counter('external_jobs_without_report', 'External jobs whose worker did not report by the deadline.', [
      { value: counts.withoutReport },
    ]),
  ]
}
