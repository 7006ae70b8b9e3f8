// external-workers/job.ts: work that waits for a worker outside the service, or runs on one.
import type { JobTypeInForce } from '../kinds/job-type-in-force.ts'
import type { JobKind } from '../store/execution.ts'

/** The part of a job that does not depend on its state. */
export interface Job {
  /** For a recovery or a notification, the id of its action. */
  readonly executionId: string
  readonly kind: JobKind
  readonly jobType: string
  /** The job type in force when the job was created; null if it is no longer known. */
  readonly type: JobTypeInForce | null
  /** The version of the job type when the job was created. */
  readonly version: string
  /** Null for a digest, which is about many monitors. */
  readonly monitorId: string | null
  /** The revision of the configuration that the job was made from; null without a monitor. */
  readonly revision: number | null
  readonly parameters: unknown
  readonly profile: string
  /** Counted from the grant. */
  readonly timeoutMs: number
  /** If it is not started by this monotonic time, the job is no longer wanted. */
  readonly startByMs: number
  /**
   * Which check this is; null for actions. The row is -1 if a previous process granted it and its result no
   * longer counts.
   */
  readonly check: CheckPlace | null
}

export interface CheckPlace {
  readonly row: number
  readonly generation: number
}

/** Identifies a worker. It belongs to the principal whose token it uses. */
export interface WorkerName {
  readonly principal: string
  readonly workerId: string
}

export interface Capability {
  readonly kind: JobKind
  readonly jobType: string
  readonly version: string
}

export function capabilityKey({ kind, jobType, version }: Capability): string {
  return `${kind} ${jobType} ${version}`
}
