// external-workers/job.ts: work that waits for a worker outside the service, or is done by one.
import type { JobTypeInForce } from '../kinds/job-type-in-force.ts'
import type { JobKind } from '../store/execution.ts'

/** What a worker may be offered, whatever became of it so far. */
export interface Job {
  /** Of a recovery or a notification: the id of its action. */
  readonly executionId: string
  readonly kind: JobKind
  readonly jobType: string
  /** As it was in force then; null when that is not known any more. */
  readonly type: JobTypeInForce | null
  /** Of the job type, as it was when the job came up. */
  readonly version: string
  /** Null for a digest, which is about many. */
  readonly monitorId: string | null
  /** Of the configuration that the job was made from; null with its monitor. */
  readonly revision: number | null
  readonly parameters: unknown
  readonly profile: string
  /** From the grant on. */
  readonly timeoutMs: number
  /** Not started by then, it is not wanted any more; by the monotonic clock. */
  readonly startByMs: number
  /** Of a check: which one. Row -1 for one that an earlier process offered and that does not count any more. */
  readonly check: CheckPlace | null
}

export interface CheckPlace {
  readonly row: number
  readonly generation: number
}

/** Who asks for work. A worker belongs to the principal whose token it has. */
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
