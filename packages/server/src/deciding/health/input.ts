// deciding/health/input.ts: everything that can happen to a monitor's health, as data. What the state machine
// may not look up (the state of the ancestors, new ids) comes with the input, so that replaying the same
// inputs gives the same states.
import type { Ancestors } from './ancestors.ts'
import type { Instant } from './health.ts'

/** Ids to use if the input starts something; unused ones are discarded. */
export interface OfferedIds {
  readonly episode: string
  readonly incident: string
  readonly intervention: string
}

export interface HealthContext {
  readonly ancestors: Ancestors
  readonly ids: OfferedIds
}

export interface ResultInput {
  readonly kind: 'result'
  readonly status: 'success' | 'failure' | 'timeout' | 'no_data'
  readonly ownFault: boolean
  readonly warning: string | null
  /** Why it is not a success, in words without secrets; null if the check gave none. */
  readonly reason: string | null
  /** The external worker that carried it out; null if the service itself did. */
  readonly from: string | null
  readonly generation: number
  readonly checkRevision: number
  readonly startedAt: Instant
  readonly finishedAt: Instant
  readonly context: HealthContext
}

/** cancelled: before it started, and not by the state machine. */
export type InterventionOutcome = 'accepted' | 'rejected' | 'unknown' | 'cancelled'

export interface ActionEndedInput {
  readonly kind: 'action-ended'
  readonly actionId: string
  readonly outcome: InterventionOutcome
  readonly context: HealthContext
}

export interface RestartedInput {
  readonly kind: 'restarted'
  /** The intervention in flight is carried out by an external worker and continues without the service. */
  readonly interventionRuns: boolean
  readonly context: HealthContext
}

export interface MaintenanceBeganInput {
  readonly kind: 'maintenance-began'
  /** When the window closes. */
  readonly untilWallMs: number
  /** What people call the window; null if it has no name. */
  readonly name: string | null
  readonly context: HealthContext
}

export interface ConfigurationChangedInput {
  readonly kind: 'configuration-changed'
  /** The current revision if something other than the check changed. */
  readonly checkRevision: number
  readonly recoveryChanged: boolean
}

/** Who asked, and the reason they gave. */
export interface Asked {
  readonly actor: string
  readonly reason: string | null
  readonly note: string | null
}

export interface SnoozedInput {
  readonly kind: 'snoozed'
  readonly untilWallMs: number
  readonly asked: Asked
}

/** Ignored unless the incident is the open one. */
export interface IncidentHandledInput {
  readonly kind: 'acknowledged' | 'dismissed' | 'reopened'
  readonly incidentId: string
  readonly asked: Asked
}

export interface RecoveryRequestedInput {
  readonly kind: 'recovery-requested'
  readonly asked: Asked
  readonly context: HealthContext
}

export type HealthInput =
  | ResultInput
  | { readonly kind: 'action-started'; readonly actionId: string }
  | ActionEndedInput
  /** A person reviewed the unknown intervention. */
  | { readonly kind: 'hold-reviewed' | 'hold-restored' }
  /** The parent's check that a child waits for has ended, or one interval of the parent has passed. */
  | { readonly kind: 'ancestor-checked'; readonly context: HealthContext }
  | MaintenanceBeganInput
  | { readonly kind: 'maintenance-ended' }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'enabled' }
  | { readonly kind: 'removed' }
  | ConfigurationChangedInput
  | { readonly kind: 'repeat-due'; readonly context: HealthContext }
  | SnoozedInput
  | { readonly kind: 'unsnoozed'; readonly asked: Asked }
  /** The snooze's deadline has passed. */
  | { readonly kind: 'snooze-expired' }
  | IncidentHandledInput
  | RecoveryRequestedInput
  /** A new process found this state in the store. */
  | RestartedInput
