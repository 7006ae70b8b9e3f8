// deciding/health/because.ts: why something was decided: a closed union, each kind with the values that were
// compared. A reason is created with the decision and stored with the event or the action; readers show it
// and never derive it again. Waits are durations rather than instants, so they stay true when the clock is
// set. Records of versions that kept no reasons have null instead.
import type { Color, Failure, RecoveryProgress, Withheld } from './health.ts'

/** What prevented a recovery when an incident opened without one. */
export type RecoveryObstacle = Exclude<RecoveryProgress, 'untried'> | 'held'

/** The failed check that decided it, and how long the monitor had been failing then. */
export type FailingCheck = Failure & { readonly failingMs: number }

/**
 * Why an incident opens or a recovery is queued; versions that did not keep the failed check recorded the rule alone.
 * `actionId`: the last recovery of the episode, which did not help; absent if there was none, and in older records.
 */
export type FailingBecause = FailingRule & Partial<FailingCheck> & { readonly actionId?: string }

/** The rule by which failures make something due. */
export type FailingRule =
  | {
      readonly kind: 'threshold'
      readonly failures: number
      readonly threshold: number
      /** Only for a monitor with a recovery; absent if none is configured, or if one is queued. */
      readonly recovery?: RecoveryObstacle
    }
  /** It was due earlier, and what withheld it is over. */
  | {
      readonly kind: 'withheld'
      readonly by: Withheld
      readonly failures: number
      readonly threshold: number
      readonly recovery?: RecoveryObstacle
    }
  | { readonly kind: 'verification_failed'; readonly healthy: number; readonly needed: number }
  | { readonly kind: 'recovery_failed'; readonly actionId: string; readonly outcome: 'rejected' | 'unknown' }

/** Why an episode ends with a recovery. */
export type RecoveredBecause =
  | { readonly kind: 'recovery_threshold'; readonly successes: number; readonly threshold: number }
  | { readonly kind: 'verified'; readonly healthy: number; readonly needed: number }

export type ControlVerb =
  | 'acknowledge'
  | 'dismiss'
  | 'reopen'
  | 'note'
  | 'snooze'
  | 'unsnooze'
  | 'recover'
  | 'review'

/** A person asked for it. Their comment is in the event. */
export interface ControlBecause {
  readonly kind: 'control'
  readonly verb: ControlVerb
  readonly actor: string
  /** When a snooze ends, by the wall clock. */
  readonly until?: number
}

/** Why the monitor is no longer watched. */
export interface LeftBecause {
  readonly kind: 'disabled' | 'removed'
}

/** Why an action may not start as soon as it is queued. */
export type DelayBecause =
  /** sinceMs: time since the last notification of this color to this destination. */
  | { readonly kind: 'cooldown'; readonly cooldownMs: number; readonly sinceMs: number }
  /** A page of the same policy went to the same person a moment before. */
  | { readonly kind: 'paged_recently'; readonly waitMs: number }
  /** The previous attempt was not accepted. asked: the provider named the wait. */
  | {
      readonly kind: 'retry'
      readonly actionId: string
      readonly waitMs: number
      readonly asked: boolean
    }

/** Why an action ended without being accepted. */
export type EndBecause =
  | RecoveredBecause
  | ControlBecause
  | LeftBecause
  | { readonly kind: 'answer'; readonly answer: 'rejected' | 'retry' | 'not_sent' | 'gone' | 'lost' }
  /** The previous process started it, and stopped before the answer came. */
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
  /** The page is over, or waits. */
  | { readonly kind: 'page_ended' | 'page_paused'; readonly policy: string }
  /** It has started again. after: how it stood before, such as acknowledged or paused. */
  | { readonly kind: 'page_restarted'; readonly policy: string; readonly after: string }

/** A maintenance window is open. */
export interface MaintenanceBecause {
  readonly kind: 'maintenance'
  /** When it closes, by the wall clock. */
  readonly until: number
  /** What people call the window. */
  readonly name?: string
}

/** Why failed checks are set aside, or count again. */
export type OwnFaultBecause =
  /** This many results were timeouts or local errors while these canaries failed. */
  | {
      readonly kind: 'own_fault'
      readonly suspicious: number
      readonly results: number
      readonly canaries: readonly string[]
    }
  /** How long the controller stood still, or by how much its clock was set. */
  | { readonly kind: 'stalled' | 'clock_jumped'; readonly lastedMs: number }
  | { readonly kind: 'own_fault_ended'; readonly excused: number; readonly lastedMs: number }

/** Why silence of a job that reports by itself means something, or nothing. */
export type PushBecause =
  | { readonly kind: 'push_overdue'; readonly lateMs: number }
  /** silentMs: since the last signal; absent if there was none. */
  | { readonly kind: 'push_silent'; readonly graceMs: number; readonly silentMs?: number }
  | { readonly kind: 'push_not_ended'; readonly limitMs: number; readonly openMs: number }
  /** The service could not be reached. */
  | { readonly kind: 'push_unreachable' }

/** Why a recipient is told of a page, or is not. Rounds and steps count from one. */
export type PageBecause =
  | {
      readonly kind: 'policy_step' | 'nobody_on_call'
      readonly policy: string
      readonly round: number
      readonly step: number
    }
  /** The endpoint before did not take it, or had not answered for too long. */
  | {
      readonly kind: 'next_endpoint'
      readonly policy: string
      readonly endpoint: string
      readonly why: 'failed' | 'unknown' | 'slow'
    }
  /** Of a message about a hand-over. */
  | {
      readonly kind: 'next_endpoint'
      readonly schedule: string
      readonly endpoint: string
      readonly why: 'failed' | 'unknown'
    }
  /** until: when they end, by the wall clock. */
  | {
      readonly kind: 'quiet_hours'
      readonly policy: string
      readonly person: string
      readonly until: number
    }
  /** Another person is on call by it. */
  | { readonly kind: 'handover'; readonly schedule: string }

export type Because =
  | PageBecause
  | PushBecause
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
  | { readonly kind: 'maintenance_ended'; readonly name?: string }
  | { readonly kind: 'snooze_expired'; readonly until: number }
  /** The incident was open before a snooze, and the threshold is reached again after it. */
  | { readonly kind: 'still_failing'; readonly failures: number; readonly threshold: number }
  /** sinceMs: time since the last red of the incident was due. */
  | { readonly kind: 'reminder'; readonly everyMs: number; readonly sinceMs: number }
  /** actionId: the green that was withdrawn unsent. */
  | { readonly kind: 'owed_green'; readonly actionId: string }
  /** sinceMs: how long the oldest of these incidents has been untold. */
  | { readonly kind: 'digest'; readonly incidents: number; readonly waitMs: number; readonly sinceMs: number }
  /** inARow: how many in a row make a destination ailing. */
  | { readonly kind: 'not_taken'; readonly inARow: number }
  | { readonly kind: 'taken' }

/** The words of the failed check that decided it; null if it was decided otherwise, or they are not known. */
export function failureIn(because: RecordedBecause | undefined): string | null {
  return because != null && 'failure' in because ? (because.failure ?? null) : null
}

/** As recorded; null in records of versions that kept no reasons. */
export type RecordedBecause = Because | null

export type BecauseKind = Because['kind']
