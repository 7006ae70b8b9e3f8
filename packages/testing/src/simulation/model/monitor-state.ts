// simulation/model/monitor-state.ts: what the reference model knows about one monitor. Plain, immutable data:
// to go back to what was on disk after a crash, it is enough to keep references.
import type { Action, RecordedOutcome } from '@pulseward/server/internal/deciding/actions/action.ts'
import type { Color } from '@pulseward/server/internal/notify/driver.ts'
import type { PlannedMonitor } from '../fleet-plan.ts'
import type { PageMessage } from './on-call/page-state.ts'
import type { Instant, Range } from './range.ts'
import type { ModelReason } from './reason.ts'

export type { Instant, Range } from './range.ts'

export type ModelStatus = 'disabled' | 'verifying' | 'incident' | 'down' | 'unknown' | 'degraded' | 'up'
export type Cause = NonNullable<Action['cause']>

/** The model numbers incidents and episodes itself; the comparison maps ids of the service to these numbers. */
export interface ModelIncident {
  readonly number: number
  readonly openedAt: Instant
  readonly lastRedAt: Instant
  /** Increases with every control of the incident; starts at 1. */
  readonly revision: number
  readonly acknowledgedBy: string | null
  readonly isDismissed: boolean
  /** It was open when its monitor was snoozed: when the threshold is reached again, red is sent as for a new incident. */
  readonly retell: boolean
}

export interface ModelVerification {
  readonly healthy: number
  readonly needed: number
  readonly countsFrom: Instant
}

export type Withheld = 'maintenance' | 'ancestor' | 'waiting'

export interface ModelEpisode {
  readonly number: number
  /** The process in which it began. */
  readonly process: number
  /** The clock was set since it began. */
  readonly isMoved: boolean
  readonly firstFailureAt: Instant
  /** What a reason must say of the last failed check. */
  readonly lastFailure: NonNullable<ModelReason['values']>
  readonly failures: number
  readonly streak: number
  /** The unhealthy threshold was reached at least once. */
  readonly hasReached: boolean
  /** An intervention was queued in this episode, whatever its outcome. */
  readonly isTried: boolean
  readonly verification: ModelVerification | null
  readonly incident: ModelIncident | null
  /** Something was due and not done; it is due again at the next failure, whatever the counter is. */
  readonly withheld: Withheld | null
  readonly dueSince: Instant | null
  readonly isSuppressionReported: boolean
}

export interface ModelAction {
  /** The model's own key; the comparison maps it to an id of the service. */
  readonly key: number
  /** The process in which it was queued. */
  readonly process: number
  readonly kind: 'intervention' | 'code'
  readonly color: Color | null
  readonly cause: Cause | null
  readonly endpoint: string | null
  readonly episode: number | null
  readonly incident: number | null
  readonly attempt: number
  readonly notBefore: Range
  readonly state: 'queued' | 'started'
  readonly startedAt: Instant | null
  readonly followUp: Subject | null
  /** It was started while its destination was ailing. */
  readonly isProbe: boolean
  /** Who had acknowledged its incident when it was queued. */
  readonly acknowledgedBy: string | null
  /** It became obsolete after it had started: it is not retried, and the record of its retry says why. */
  readonly retryEndsAs: RecordedOutcome | null
  readonly retryEndsBecause: ModelReason | null
  readonly because: ModelReason
  /** What it says of a page; absent for everything else. */
  readonly page?: PageMessage | undefined
}

export interface Subject {
  readonly cause: Cause
  readonly episode: number | null
  readonly incident: number | null
  readonly acknowledgedBy: string | null
  readonly because: ModelReason
}

/** An action whose outcome is unknown and was not settled by a review. */
export interface ModelUnknown {
  readonly key: number
  readonly color: Color | null
  readonly endpoint: string | null
  readonly incident: number | null
  /** Increases with every review; starts at 1. */
  readonly revision: number
}

/** When a notification was started and when it had arrived, and in which process. */
export interface Arrival extends Range {
  readonly process: number
  /** The clock was set since, so an older time was recorded. */
  readonly isMoved: boolean
}

export interface ModelMaintenance {
  readonly isAnnounced: boolean
  /**
   * No destination was configured when it began: whether the service noticed it shows only at the end, to the
   * destinations of then.
   */
  readonly mayBeAnnounced: boolean
}

/** An incident that a destination should have been notified of by a red and was not. */
export interface ModelUntold {
  readonly incident: number
  readonly endpoint: string
  /** The first failure, and the end; null while it is open. */
  readonly from: Instant
  readonly to: Instant | null
  /** Since when it is untold: it closed, or its red was finally rejected. */
  readonly since: Instant | null
  /** When the last red or green that would have reported it ended without doing so: a digest may count from there. */
  readonly triedUntil: Instant
  readonly isCertain: boolean
  /** Its incident is dismissed, so it is not reported. */
  readonly isHushed: boolean
}

export interface ModelMonitor {
  readonly plan: PlannedMonitor
  /** Since when this plan is in force; 0 from the beginning. */
  readonly plannedAt: Instant
  /** No longer in the fleet; it may come back. */
  readonly isRemoved: boolean
  readonly isKnown: boolean
  readonly lastOutcome: 'success' | 'failure' | 'timeout' | 'no_data' | 'own_fault' | null
  /** When the last check finished, by the monotonic clock; null if none did in this process. */
  readonly lastCheckMs: number | null
  readonly lastFailureMs: number | null
  readonly episode: ModelEpisode | null
  readonly intervention: { readonly state: 'queued' | 'started'; readonly episode: number } | null
  /** A person requested the last intervention. */
  readonly isByHand: boolean
  /** Healthy checks so far that count towards the end of the hold outside of an episode; null: nothing is held. */
  readonly hold: number | null
  /** The intervention with the unknown outcome. */
  readonly heldBy: number | null
  /** Snoozed until then, by the wall clock: not checked, not recovered, and nobody is notified. */
  readonly snooze: { readonly untilWallMs: number } | null
  /** Increases with every snooze, its end, and every recovery by hand; starts at 1. */
  readonly controlRevision: number
  /** When the last recoveries were requested by hand. */
  readonly recoveriesAt: readonly Instant[]
  readonly unknown: readonly ModelUnknown[]
  readonly warning: { readonly text: string; readonly isAnnounced: boolean } | null
  /** The process in which the last warning began. */
  readonly warningProcess: number
  readonly maintenance: ModelMaintenance | null
  readonly actions: readonly ModelAction[]
  /** The last delivered or unknown one, by color and destination. */
  readonly arrivals: Readonly<Record<string, Arrival>>
  /** Destinations for which something other than green was started since the last green. */
  readonly heard: readonly string[]
  /** The same for the active warning. */
  readonly heardWarning: readonly string[]
  /** Incidents that destinations of red were not notified of. */
  readonly untold: readonly ModelUntold[]
  /** Destinations whose green was superseded before it was sent. */
  readonly owed: readonly string[]
}

export function freshMonitor(plan: PlannedMonitor): ModelMonitor {
  return {
    plan,
    plannedAt: 0,
    isRemoved: false,
    isKnown: false,
    lastOutcome: null,
    lastCheckMs: null,
    lastFailureMs: null,
    episode: null,
    intervention: null,
    isByHand: false,
    hold: null,
    heldBy: null,
    snooze: null,
    controlRevision: 1,
    recoveriesAt: [],
    unknown: [],
    warning: null,
    warningProcess: 0,
    maintenance: null,
    actions: [],
    arrivals: {},
    heard: [],
    heardWarning: [],
    owed: [],
    untold: [],
  }
}

/** v1.md §3, in order of precedence. */
export function statusOf({
  plan,
  snooze,
  episode,
  isKnown,
  lastOutcome,
  warning,
}: ModelMonitor): ModelStatus {
  if (!plan.enabled || snooze !== null) return 'disabled'
  if (episode?.verification) return 'verifying'
  if (episode?.incident) return 'incident'
  if (episode !== null && episode.failures > 0) return 'down'
  if (!isKnown || lastOutcome === 'own_fault') return 'unknown'
  return warning === null ? 'up' : 'degraded'
}

/** Stands for the service itself in place of a monitor id; digests and pages are its actions. */
export const service = ''

export type ServiceEvent =
  | 'destination_ailing'
  | 'destination_recovered'
  | 'destination_dead'
  | 'digest_sent'
  | 'digest_dropped'

/** What the service must show for a decision. */
export type Expected =
  | {
      readonly type: 'incident_opened'
      readonly monitorId: string
      readonly incident: number
      readonly because: ModelReason
    }
  | {
      readonly type: 'incident_closed'
      readonly monitorId: string
      readonly incident: number
      readonly outcome: 'recovered' | 'disabled' | 'removed'
      readonly because: ModelReason
    }
  | {
      readonly type: 'incident_suppressed'
      readonly monitorId: string
      readonly by: readonly string[]
      readonly because: ModelReason
    }
  | { readonly type: 'action_queued'; readonly monitorId: string; readonly action: ModelAction }
  | {
      readonly type: 'action_cancelled'
      readonly monitorId: string
      readonly action: ModelAction
      readonly outcome: RecordedOutcome
      readonly because: ModelReason
    }
  | {
      /** For a destination that is dead. */
      readonly type: 'action_failed'
      readonly monitorId: string
      readonly action: ModelAction
      readonly outcome: 'gone'
      readonly because: ModelReason
    }
  | {
      readonly type: 'escalation'
      /** The lead of the page. */
      readonly monitorId: string
      readonly incident: number
      readonly page: string
      readonly policy: string
      readonly phase: string
      readonly people: readonly string[] | null
      readonly because: ModelReason
    }
  | {
      readonly type: ServiceEvent
      readonly monitorId: typeof service
      readonly endpoint: string
      readonly because: ModelReason
    }

/** For digests and pages, which belong to no monitor. */
export const servicePlan: PlannedMonitor = {
  id: service,
  name: 'the service',
  enabled: true,
  intervalSeconds: 30,
  timeoutSeconds: 5,
  unhealthyThreshold: 1,
  healthyThreshold: 1,
  checkVersion: 1,
  recovery: null,
  repeatMinutes: null,
  destinations: { red: [], yellow: [], green: [], cyan: [], gray: [] },
  window: null,
  parents: [],
}
