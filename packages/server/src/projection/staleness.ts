// projection/staleness.ts: whether what is shown is still kept up to date. Data that is not says since when and why, is
// of that time, and promises no next check; what makes it stale is the edition's to say.
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
