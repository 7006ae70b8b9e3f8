// projection/staleness.ts: whether the shown data is kept up to date. Stale data says since when and why,
// shows the state of that time, and promises no next check. The edition decides what makes data stale.
import type { Stale, StaleReason } from '@pulseward/contract'
import { timestamp } from '../platform/wire.ts'

export interface Staleness {
  /** The time of the data, in epoch milliseconds. */
  readonly sinceMs: number
  readonly reason: StaleReason
}

/** Null while the data is kept up to date. */
export type StalenessSource = () => Staleness | null

export function staleView(staleness: Staleness | null): Stale | null {
  return staleness === null ? null : { since: timestamp(staleness.sinceMs), reason: staleness.reason }
}
