// store/execution.ts: jobs granted to external workers, as a store keeps them: from the grant, which is committed before
// it is sent, to the receipt, which never changes while it is kept. Offers are not stored: a job that was not granted may
// be offered again. Statements of workers are stored separately from the record, each written once: the record stays
// small however much a worker says, because heartbeats and action lists read it.
import type { Instant } from '../deciding/health/health.ts'
import { retentionMs } from './retention.ts'

export type JobKind = 'check' | 'recovery' | 'notification'

export interface StoredExecution {
  /** For a recovery or a notification: the id of its action. */
  readonly id: string
  readonly kind: JobKind
  readonly jobType: string
  readonly version: string
  /** Null for a digest, which is about many monitors. */
  readonly monitorId: string | null
  /** The revision of the configuration that the job was made from; null if monitorId is. */
  readonly revision: number | null
  readonly principal: string
  readonly workerId: string
  readonly grantId: string
  /** The revision of the offer that was granted; absent in records of earlier versions. */
  readonly offerRevision?: number
  readonly grantedAt: Instant
  readonly deadline: Instant
  /** Null while the job runs. */
  readonly end: ExecutionEnd | null
  /** Evidence that arrived after its end, in order of arrival. */
  readonly late: readonly LateEvidence[]
}

export interface ExecutionEnd {
  readonly at: Instant
  readonly disposition: 'accepted' | 'finalized' | 'unknown'
  /** What its worker reported in time; null if nothing. */
  readonly report: StoredReport | null
}

/**
 * A report made in time; its statement has the id `report`. The digest distinguishes a repeated report from a
 * different one.
 */
export interface StoredReport {
  readonly digest: string
  readonly status: string
}

export interface LateEvidence {
  /** The id of its statement: `result` after the deadline, or `evidence` and the worker's own name for it. */
  readonly id: string
  readonly digest: string
  /** Null for evidence. */
  readonly status: string | null
  readonly at: Instant
  /** The size of its statement. */
  readonly bytes: number
}

/** A complete statement of a worker about a job. */
export interface WorkerStatement {
  readonly executionId: string
  /** Unique within the job. */
  readonly id: string
  readonly evidence: readonly string[]
  readonly diagnostic: string | null
  readonly data: unknown
}

/** The id of the receipt that a worker gets when its job has ended; it never changes. */
export function receiptIdOf({ id }: Pick<StoredExecution, 'id'>): string {
  return `receipt-${id}`
}

/** Check results are soon of no use; action results are kept as long as the actions. */
const keptMs: Readonly<Record<JobKind, number>> = {
  check: 15 * 60_000,
  recovery: retentionMs,
  notification: retentionMs,
}

/** When its receipt may be removed; null while the job runs. */
export function forgetAt({ kind, end }: StoredExecution): Instant | null {
  return end === null ? null : end.at + keptMs[kind]
}
