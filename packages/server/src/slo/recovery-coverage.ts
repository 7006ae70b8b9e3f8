// slo/recovery-coverage.ts: what became of the episodes that reached the unhealthy threshold in the window.
// Everything about an episode is counted in the bucket in which it reached the threshold, so that all figures
// are about the same episodes: how many could be recovered, and how that went.
import { BucketTable, FIRST_COLUMN } from './bucket-table.ts'

export const recoveryKinds = [
  /** Reached the threshold with a recovery configured. */
  'eligible',
  /** Reached it without one. */
  'noneConfigured',
  /** An intervention was queued. */
  'admitted',
  'succeeded',
  'failed',
  'unknown',
  /** The intervention had to wait for the budget, or for the review of an unknown one. */
  'held',
] as const
export type RecoveryKind = (typeof recoveryKinds)[number]
export type RecoveryCounts = Readonly<Record<RecoveryKind, number>>

export class RecoveryCoverage {
  readonly #table = new BucketTable(FIRST_COLUMN + recoveryKinds.length)

  note(kind: RecoveryKind, bucket: number): void {
    const row = this.#table.claim(bucket)
    if (row >= 0) this.#table.add(row + columnOf(kind))
  }

  totals(oldestBucket: number): RecoveryCounts {
    const sums = this.#table.sumSince(oldestBucket)
    const count = (kind: RecoveryKind) => sums[columnOf(kind)] ?? 0
    return {
      eligible: count('eligible'),
      noneConfigured: count('noneConfigured'),
      admitted: count('admitted'),
      succeeded: count('succeeded'),
      failed: count('failed'),
      unknown: count('unknown'),
      held: count('held'),
    }
  }

  copyCells(): Uint32Array {
    return this.#table.cells.slice()
  }

  restoreCells(cells: Uint32Array): void {
    this.#table.cells.set(cells)
  }
}

function columnOf(kind: RecoveryKind): number {
  return FIRST_COLUMN + recoveryKinds.indexOf(kind)
}
