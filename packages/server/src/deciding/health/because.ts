// deciding/health/because.ts: why something was decided: one closed union, each kind with the values that were compared.
// A reason is made where the decision is made and stored with the event or the action; readers show it and never work it
// out again. Waits are durations and not instants, so that a clock that is set leaves them true. Records of versions
// that kept no reasons have null in its place.
import type { Color, RecoveryProgress, Withheld } from './health.ts'

/** What stood in the way of a recovery when an incident opened without one. */
export type RecoveryObstacle = Exclude<RecoveryProgress, 'untried'> | 'held'

/** Why an incident opens or a recovery is queued. */
export type FailingBecause =
  | {
      readonly kind: 'threshold'
      readonly failures: number
      readonly threshold: number
      /** Of a monitor with a recovery; absent where none is configured, and where one is queued. */
      readonly recovery?: RecoveryObstacle
    }
  /** It was due earlier; what withheld it is over. */
  | {
      readonly kind: 'withheld'
      readonly by: Withheld
      readonly failures: number
      readonly threshold: number
      readonly recovery?: RecoveryObstacle
    }
  | { readonly kind: 'verification_failed'; readonly healthy: number; readonly needed: number }
  | { readonly kind: 'recovery_failed'; readonly actionId: string; readonly outcome: 'rejected' | 'unknown' }

/** Why an episode ends well. */
export type RecoveredBecause =
  | { readonly kind: 'recovery_threshold'; readonly successes: number; readonly threshold: number }
  | { readonly kind: 'verified'; readonly healthy: number; readonly needed: number }

export type ControlVerb = 'acknowledge' | 'dismiss' | 'reopen' | 'snooze' | 'unsnooze' | 'recover' | 'review'

/** A person asked for it; what they said of it is in the event. */
export interface ControlBecause {
  readonly kind: 'control'
  readonly verb: ControlVerb
  readonly actor: string
  /** When a snooze ends, by the wall clock. */
  readonly until?: number
}

/** Why the monitor is not watched any more. */
export interface LeftBecause {
  readonly kind: 'disabled' | 'removed'
}

/** Why an action may not start as soon as it is queued. */
export type DelayBecause =
  /** sinceMs: how long ago the last one of the color was sent to the destination. */
  | { readonly kind: 'cooldown'; readonly cooldownMs: number; readonly sinceMs: number }
  /** The attempt before was not taken. asked: the provider named the wait. */
  | {
      readonly kind: 'retry'
      readonly actionId: string
      readonly waitMs: number
      readonly asked: boolean
    }

/** Why an action ended other than by being accepted. */
export type EndBecause =
  | RecoveredBecause
  | ControlBecause
  | LeftBecause
  | { readonly kind: 'answer'; readonly answer: 'rejected' | 'retry' | 'not_sent' | 'gone' | 'lost' }
  /** It was started by the previous process, which stopped before the answer came. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'superseded'; readonly color: Color }
  | { readonly kind: 'new_episode' }
  | MaintenanceBecause
  | { readonly kind: 'dismissed'; readonly incidentId: string }
  | { readonly kind: 'configuration_changed'; readonly what: 'check' | 'recovery' | 'destination' }
  | { readonly kind: 'destination_dead' }
  | { readonly kind: 'nothing_untold' }
  | { readonly kind: 'given_up'; readonly afterMs: number }
  | { readonly kind: 'restored'; readonly backupAt: number }

/** A window is open. */
export interface MaintenanceBecause {
  readonly kind: 'maintenance'
  /** When it closes, by the wall clock. */
  readonly until: number
}

/** Why failed checks are set aside, or count again. */
export type OwnFaultBecause =
  /** So many of the results were timeouts or local errors while these checks of our own failed. */
  | {
      readonly kind: 'own_fault'
      readonly suspicious: number
      readonly results: number
      readonly canaries: readonly string[]
    }
  /** The controller stood still, or its clock was set, for so long. */
  | { readonly kind: 'stalled' | 'clock_jumped'; readonly lastedMs: number }
  | { readonly kind: 'own_fault_ended'; readonly excused: number; readonly lastedMs: number }

export type Because =
  | OwnFaultBecause
  | FailingBecause
  | RecoveredBecause
  | ControlBecause
  | LeftBecause
  | DelayBecause
  | EndBecause
  | { readonly kind: 'first_failure'; readonly threshold: number }
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'warning_ended' }
  | { readonly kind: 'ancestor'; readonly ancestor: string }
  | { readonly kind: 'recovery_accepted'; readonly actionId: string }
  | { readonly kind: 'maintenance_ended' }
  | { readonly kind: 'snooze_expired'; readonly until: number }
  /** The incident was open before a snooze, and the threshold is reached again after it. */
  | { readonly kind: 'still_failing'; readonly failures: number; readonly threshold: number }
  /** sinceMs: how long ago the last red of the incident was due. */
  | { readonly kind: 'reminder'; readonly everyMs: number; readonly sinceMs: number }
  /** actionId: the green that was withdrawn unsent. */
  | { readonly kind: 'owed_green'; readonly actionId: string }
  /** sinceMs: how long the oldest of the incidents has been untold. */
  | { readonly kind: 'digest'; readonly incidents: number; readonly waitMs: number; readonly sinceMs: number }
  /** inARow: so many in a row make a destination ailing. */
  | { readonly kind: 'not_taken'; readonly inARow: number }
  | { readonly kind: 'taken' }

/** Of a record; null in one of a version that kept no reasons. */
export type RecordedBecause = Because | null

export type BecauseKind = Because['kind']
