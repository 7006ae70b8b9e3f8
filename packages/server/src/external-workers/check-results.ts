// external-workers/check-results.ts: the result of a worker's check in the form that results of probe threads have.
import { outcomeStatuses, type ResultBatch } from '../checking/probe/probe-protocol.ts'
import type { OutcomeStatus } from '../checks/driver.ts'

export interface CheckResult {
  readonly row: number
  readonly generation: number
  readonly status: OutcomeStatus
  readonly grantedMs: number
  readonly finishedMs: number
  readonly latencyMs: number
  readonly reason: string | null
}

export function resultBatch({ row, generation, status, ...rest }: CheckResult): ResultBatch {
  const { grantedMs, finishedMs, latencyMs, reason } = rest
  const note = { position: 0, reason, warning: null, certificateExpiresAt: null }
  return {
    rows: Uint32Array.of(row),
    generations: Uint32Array.of(generation),
    outcomes: Uint8Array.of(outcomeStatuses.indexOf(status)),
    startedMs: Float64Array.of(grantedMs),
    finishedMs: Float64Array.of(finishedMs),
    latencyMs: Float32Array.of(latencyMs),
    notes: reason === null ? [] : [note],
  }
}
