// slo/slo-snapshot.ts: the SLO window as plain data that a store can keep: numbers, names and typed arrays. Times are
// epoch milliseconds, because monotonic time does not outlive the process. The cells have the layout of this version's
// tables, so the format number must be raised whenever a column, a bin or a bucket changes.
import type { SloTargets } from './driver-window.ts'

export const SNAPSHOT_FORMAT = 1

export interface SloSnapshot extends SloTargets {
  readonly format: number
  readonly savedAt: number
  /** The start of bucket 0. */
  readonly originAt: number
  readonly gaps: Float64Array
  readonly recovery: Uint32Array
  readonly drivers: readonly { readonly name: string; readonly cells: Uint32Array }[]
}

/** Threshold counts depend on the targets they were made with, and cannot be recounted for others. */
export function canContinue(saved: SloSnapshot, targets: SloTargets): boolean {
  return (
    saved.format === SNAPSHOT_FORMAT &&
    saved.queueTargetMs === targets.queueTargetMs &&
    saved.resultTargetMs === targets.resultTargetMs
  )
}
