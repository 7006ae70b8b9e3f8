// external-workers/check-results.ts: converts results of workers' checks to the batches that probe threads send.
import { outcomeStatuses, type ResultBatch, type ResultNote } from '../checking/probe/probe-protocol.ts'
import type { OutcomeStatus } from '../checks/driver.ts'

export interface CheckResult {
  readonly row: number
  readonly generation: number
  readonly status: OutcomeStatus
  readonly grantedMs: number
  readonly finishedMs: number
  readonly latencyMs: number
  readonly reason: string | null
  /** The worker; null if none took the job. */
  readonly workerId: string | null
}

export function resultBatch(results: readonly CheckResult[]): ResultBatch {
  return {
    rows: Uint32Array.from(results, ({ row }) => row),
    generations: Uint32Array.from(results, ({ generation }) => generation),
    outcomes: Uint8Array.from(results, ({ status }) => outcomeStatuses.indexOf(status)),
    startedMs: Float64Array.from(results, ({ grantedMs }) => grantedMs),
    finishedMs: Float64Array.from(results, ({ finishedMs }) => finishedMs),
    latencyMs: Float32Array.from(results, ({ latencyMs }) => latencyMs),
    notes: results.flatMap((result, position) => noteOf(result, position) ?? []),
  }
}

/** Null for a success without words. */
function noteOf({ status, reason, workerId }: CheckResult, position: number): ResultNote | null {
  if (reason === null && status === 'success') return null
  const from = workerId === null ? {} : { from: workerId }
  return { position, reason, warning: null, certificateExpiresAt: null, ...from }
}
