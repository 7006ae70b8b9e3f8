// projection/staleness.ts: whether what is shown is still kept up to date. Stale data says since when and why, is as of
// that time, and promises no next check. The edition decides what makes data stale.
import type { Stale, StaleReason } from '@pulseward/contract'
import { timestamp } from '../platform/wire.ts'

export interface Staleness {
  /** Epoch milliseconds: what time the data is of. */
  readonly sinceMs: number
  readonly reason: StaleReason
}

/** Null while the data is kept up to date. */
export type StalenessSource = () => Staleness | null

export function staleView(staleness: Staleness | null): Stale | null {
  return staleness === null ? null : { since: timestamp(staleness.sinceMs), reason: staleness.reason }
}
