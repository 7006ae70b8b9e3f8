// actions/destination.ts: where codes go, as the ledger needs to know it.
import type { Instant } from '../health/health.ts'

export interface Destination {
  readonly name: string
  /** Of its whole configuration; another one revives a destination that was dead. */
  readonly fingerprint: string
  readonly maxInFlight: number
  /** The provider's documented rate. */
  readonly ratePerSecond: number
}

/** It answered "gone": nothing is sent to it before its configuration changes. */
export interface DeadDestination {
  readonly name: string
  readonly fingerprint: string
  readonly since: Instant
}

export interface DestinationView {
  readonly name: string
  readonly state: 'ok' | 'limited' | 'dead'
  /** Until when the provider asked us to wait. */
  readonly until: Instant | null
  readonly queued: number
}
