// external-workers/job-board.ts: where the sources of checks and actions post jobs for workers.
import type { ExternalConfig } from '../config/external-driver.ts'
import type { Job } from './job.ts'

/** The parts of a job that come from its job type, as it is in force now. */
export type JobTerms = Pick<Job, 'jobType' | 'type' | 'version' | 'profile' | 'timeoutMs'>

export interface JobBoard {
  /** By the monotonic clock. */
  readonly nowMs: number
  termsOf(config: ExternalConfig, ownTimeoutMs: number): JobTerms
  /** The revision of the monitor's configuration; null if it is unknown. */
  revisionOf(monitorId: string, row: number): number | null
  put(job: Job): void
  /** The check of this row is no longer wanted. True if no job is left for it. */
  cancel(row: number): boolean
  /** Offers new jobs to waiting workers. */
  serve(): void
}
