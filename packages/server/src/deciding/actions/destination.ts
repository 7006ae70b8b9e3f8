// deciding/actions/destination.ts: where notifications go, as far as the ledger needs to know, and what it stores and
// shows of it.
import type { Instant } from '../health/health.ts'
import type { End } from './action.ts'

/** Why a notification is not even tried. */
export const destinationIsGone = 'the destination is gone'

export const endedAsGone: End = {
  state: 'failed',
  outcome: 'gone',
  reason: destinationIsGone,
  because: { kind: 'destination_dead' },
}

export interface Destination {
  readonly name: string
  /** Of its whole configuration. A different one gives a dead or ailing destination a new start. */
  readonly fingerprint: string
  readonly maxInFlight: number
  /** The provider's documented rate. */
  readonly ratePerSecond: number
  /** The provider keeps alerts of its own and is told only what opens and closes them. */
  readonly keepsAlerts: boolean
}

/** What the next process has to know about a destination; one with nothing wrong has no record. */
export interface DestinationRecord {
  readonly name: string
  readonly fingerprint: string
  /** It answered "gone": nothing is sent to it before its configuration changes. */
  readonly dead: Trouble | null
  /** It did not take three in a row: one notification at a time tries it. */
  readonly ailing: Ailing | null
  /** What was untold before then was told by a digest, or dropped with it. */
  readonly digestedUpTo: Instant | null
  /** When the digest ended that told of it. */
  readonly digestedAt: Instant | null
}

export interface Trouble {
  readonly since: Instant
  readonly reason: string
}

export interface Ailing extends Trouble {
  /** How long the last wait for the next try was, and when it ends. */
  readonly waitMs: number
  readonly until: Instant
}

export interface DestinationView {
  readonly name: string
  readonly state: 'ok' | 'limited' | 'ailing' | 'dead'
  readonly since: Instant | null
  readonly reason: string | null
  /** When a limited or ailing one is tried again. */
  readonly until: Instant | null
  readonly queued: number
}
