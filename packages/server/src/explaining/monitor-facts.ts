// explaining/monitor-facts.ts: what an explanation of a monitor as it is now is made from.
import type { v2 } from '@pulseward/contract'
import type { Places } from '../config/places.ts'
import type { Action } from '../deciding/actions/action.ts'
import type { DestinationView } from '../deciding/actions/destination.ts'
import type { RecordedBecause } from '../deciding/health/because.ts'
import type { Health, HealthRules, Instant } from '../deciding/health/health.ts'
import type { WindowState } from '../deciding/maintenance-windows.ts'
import type { Configured } from './configured.ts'
import type { Teller } from './explained.ts'

export interface MonitorFacts extends Teller {
  readonly id: string
  readonly configured: Configured
  /** By the wall clock; null if it is not snoozed. */
  readonly snoozedUntilMs: number | null
  readonly window: WindowState
  readonly ancestor: AncestorFacts
  readonly incident: IncidentFacts | null
  /** The recoveries and notifications of what is the matter, the newest first. */
  readonly actions: readonly Action[]
  /** The destination that is asked about; null for all. */
  readonly endpoint: string | null
  readonly health: Health
  /** Null if the service itself is the only place. */
  readonly places: Places | null
  /** Of its last check, or why it was last down; null if there is none. */
  readonly lastError: string | null
  readonly rules: HealthRules
  /** The page of its open incident; null if there is none. */
  readonly page: v2.EscalationPage | null
  readonly destinations: readonly DestinationView[]
  /** Of a job that reports by itself: when its next signal is expected. Null if nothing is planned. */
  readonly nextCheckAt: Instant | null
  readonly reportsByItself: boolean
}

export type AncestorFacts =
  | { readonly kind: 'none' | 'clear' | 'not-checked' }
  /** Null: when it began is not known. */
  | { readonly kind: 'in-trouble'; readonly by: string; readonly since: Instant | null }

export interface IncidentFacts {
  readonly id: string
  /** Null if that is no longer known. */
  readonly openedAt: Instant | null
  readonly because: RecordedBecause
  readonly acknowledged: { readonly by: string; readonly at: Instant } | null
  readonly isDismissed: boolean
}
