// store/execution.ts: jobs that workers outside the service were granted, as a store keeps them: from the grant, which is
// committed before it is given, to the receipt, which stays the same as long as it is kept. Offers are not here: what
// nobody was granted may be offered again. What workers said lies beside the record, each statement once and never written
// again: a record is small however much was said, because heartbeats and lists of actions read it.
import type { Instant } from '../deciding/health/health.ts'
import { retentionMs } from './retention.ts'

export type JobKind = 'check' | 'recovery' | 'notification'

export interface StoredExecution {
  /** Of a recovery or a notification: the id of its action. */
  readonly id: string
  readonly kind: JobKind
  readonly jobType: string
  readonly version: string
  /** Null for a digest, which is about many. */
  readonly monitorId: string | null
  /** Of the configuration that the job was made from; null with its monitor. */
  readonly revision: number | null
  readonly principal: string
  readonly workerId: string
  readonly grantId: string
  /** The revision of the offer that was granted; absent in records of earlier versions. */
  readonly offerRevision?: number
  readonly grantedAt: Instant
  readonly deadline: Instant
  /** Null while it runs. */
  readonly end: ExecutionEnd | null
  /** What became known after its end, in the order in which it came. */
  readonly late: readonly LateEvidence[]
}

export interface ExecutionEnd {
  readonly at: Instant
  readonly disposition: 'accepted' | 'finalized' | 'unknown'
  /** Of what its worker reported in time; null when that was nothing. */
  readonly report: StoredReport | null
}

/** Of a report in time, whose statement is `report`. The digest tells the same report from another one. */
export interface StoredReport {
  readonly digest: string
  readonly status: string
}

export interface LateEvidence {
  /** Of its statement: `result` after the deadline, or `evidence` and the worker's own name for it. */
  readonly id: string
  readonly digest: string
  /** Null for evidence. */
  readonly status: string | null
  readonly at: Instant
  /** How much its statement says. */
  readonly bytes: number
}

/** What a worker said of a job, whole. */
export interface WorkerStatement {
  readonly executionId: string
  /** Once for each job. */
  readonly id: string
  readonly evidence: readonly string[]
  readonly diagnostic: string | null
  readonly data: unknown
}

/** What tells that a job has ended for its worker; the same for the life of the store. */
export function receiptIdOf({ id }: Pick<StoredExecution, 'id'>): string {
  return `receipt-${id}`
}

/** Results of checks are of no use soon after; those of actions are kept as long as the actions. */
const keptMs: Readonly<Record<JobKind, number>> = {
  check: 15 * 60_000,
  recovery: retentionMs,
  notification: retentionMs,
}

/** When its receipt may be forgotten; null while it runs. */
export function forgetAt({ kind, end }: StoredExecution): Instant | null {
  return end === null ? null : end.at + keptMs[kind]
}
