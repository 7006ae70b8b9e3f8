// projection/external-metrics.ts: external workers and their jobs as metric families. Neither workers nor job
// types are labels: their number is unbounded.
import { v2 } from '@pulseward/contract'
import type { Family } from '../telemetry/exposition.ts'
import { family, single } from './metric-families.ts'

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
    single('pulseward_external_workers', workersSeen),
    single('pulseward_external_polls_waiting', waitingPolls),
    single('pulseward_external_jobs_waiting', waitingJobs),
    single('pulseward_external_jobs_running', runningJobs),
    single('pulseward_external_jobs_granted_total', counts.granted),
    family(
      'pulseward_external_results_total',
      kinds.flatMap((kind) =>
        v2.outcomeStatuses[kind].map((status) => ({
          labels: { kind, status },
          value: counts.results(kind, status),
        })),
      ),
    ),
    single('pulseward_external_offers_not_started_total', counts.offersNotStarted),
    single('pulseward_external_jobs_not_started_total', counts.notStarted),
    single('pulseward_external_jobs_without_report_total', counts.withoutReport),
  ]
}
