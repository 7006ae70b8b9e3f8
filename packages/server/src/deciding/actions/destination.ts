// deciding/actions/destination.ts: a destination of notifications: what the ledger needs to know about it,
// and what it stores and shows.
import type { Instant } from '../health/health.ts'
import type { End } from './action.ts'

/** Why a notification is not attempted. */
export const destinationIsGone = 'the destination is gone'

export const endedAsGone: End = {
  state: 'failed',
  outcome: 'gone',
  reason: destinationIsGone,
  because: { kind: 'destination_dead' },
}

export interface Destination {
  readonly name: string
  /** Of the whole configuration. A change gives a dead or ailing destination a fresh start. */
  readonly fingerprint: string
  readonly maxInFlight: number
  /** The provider's documented rate. */
  readonly ratePerSecond: number
  /** The provider keeps alerts itself and is told only what opens and closes them. */
  readonly keepsAlerts: boolean
}

/** What the next process has to know about a destination. A destination in order has no record. */
export interface DestinationRecord {
  readonly name: string
  readonly fingerprint: string
  /** It answered "gone": nothing is sent until its configuration changes. */
  readonly dead: Trouble | null
  /** It did not accept three in a row: one notification at a time probes it. */
  readonly ailing: Ailing | null
  /** Incidents that were untold before this instant were in a digest that was sent, or dropped with one. */
  readonly digestedUpTo: Instant | null
  /** When that digest ended. */
  readonly digestedAt: Instant | null
  /** That digest, if it was delivered; absent in records of earlier versions. */
  readonly digestId?: string | null
}

export interface Trouble {
  readonly since: Instant
  readonly reason: string
}

export interface Ailing extends Trouble {
  /** How long the last wait before a probe was, and when it ends. */
  readonly waitMs: number
  readonly until: Instant
}

export interface DestinationView {
  readonly name: string
  readonly state: 'ok' | 'limited' | 'ailing' | 'dead'
  readonly since: Instant | null
  readonly reason: string | null
  /** When a limited or ailing destination is tried again. */
  readonly until: Instant | null
  readonly queued: number
}
