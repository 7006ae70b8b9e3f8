// external-workers/job-board.ts: where jobs are put up for workers, as the two sources see it that put them up.
import type { ExternalConfig } from '../config/external-driver.ts'
import type { Job } from './job.ts'

/** What a job has of its job type, as that is in force now. */
export type JobTerms = Pick<Job, 'jobType' | 'type' | 'version' | 'profile' | 'timeoutMs'>

export interface JobBoard {
  /** By the monotonic clock. */
  readonly nowMs: number
  termsOf(config: ExternalConfig, ownTimeoutMs: number): JobTerms
  /** Of the configuration of a monitor; null when it is not known. */
  revisionOf(monitorId: string, row: number): number | null
  put(job: Job): void
  /** The check of this row is not wanted any more; true when nothing of it is left. */
  cancel(row: number): boolean
  /** Workers that wait get what is new. */
  serve(): void
}
