// deciding/health/step.ts: what a transition returns (the next state, what happened, what is to be done) and the
// functions that build it. Nothing here decides or mutates anything. Effects are data, carried out after the commit.
import type {
  Because,
  ControlBecause,
  EndBecause,
  FailingBecause,
  LeftBecause,
  RecoveredBecause,
} from './because.ts'
import { type Color, type Episode, type Health, type Instant, isDismissed } from './health.ts'
import type { Asked } from './input.ts'

export type { Color } from './health.ts'

export interface Step {
  readonly state: Health
  readonly events: readonly MonitorEvent[]
  readonly effects: readonly Effect[]
}

export type IncidentOutcome = 'recovered' | 'disabled' | 'removed'

export type MonitorEvent =
  | {
      readonly type: 'incident_opened'
      readonly at: Instant
      readonly incidentId: string
      readonly because: FailingBecause
    }
  | {
      readonly type: 'incident_closed'
      readonly at: Instant
      readonly incidentId: string
      readonly outcome: IncidentOutcome
      readonly because: RecoveredBecause | LeftBecause
    }
  | {
      readonly type: 'incident_suppressed'
      readonly at: Instant
      readonly because: Extract<Because, { kind: 'ancestor' }>
    }
  | ControlEvent

/** What a control changed, and the subject's new revision. */
export type ControlEvent = { readonly at: Instant; readonly revision: number; readonly because: Because } & (
  | {
      readonly type: 'control_acknowledged' | 'control_dismissed' | 'control_reopened'
      readonly asked: Asked
      readonly incidentId: string
    }
  /** A snooze and its end name the incident that is open then. */
  | {
      readonly type: 'control_snoozed'
      readonly asked: Asked
      readonly incidentId: string | null
      readonly untilWallMs: number
    }
  | { readonly type: 'control_unsnoozed'; readonly asked: Asked; readonly incidentId: string | null }
  | { readonly type: 'snooze_expired'; readonly incidentId: string | null }
  | {
      readonly type: 'control_recover_requested'
      readonly asked: Asked
      readonly incidentId: string | null
      readonly actionId: string
    }
)

/** What a notification is about. Only those of an episode, and repeats, name the episode and its incident. */
export type Cause = 'episode' | 'warning' | 'maintenance' | 'repeat'

export interface Notify {
  readonly kind: 'notify'
  readonly color: Color
  readonly cause: Cause
  readonly episodeId: string | null
  readonly incidentId: string | null
  /** The first failure of the episode; null where there is none. */
  readonly since: Instant | null
  /** Who acknowledged the incident; null if it is not acknowledged. */
  readonly acknowledgedBy: string | null
  readonly because: Because
}

/**
 * The ledger turns a notify into actions. It knows the destinations, the cooldowns and which queued colors are
 * superseded. It holds every color but gray during maintenance, and drops a green if nothing was sent before it.
 */
export type Effect =
  | Notify
  /** A new episode cancels the previous one's green if that is still queued. */
  | { readonly kind: 'episode-began'; readonly episodeId: string }
  | {
      readonly kind: 'queue-intervention'
      readonly actionId: string
      readonly episodeId: string
      /** The open incident, if there is one; usually null, because the intervention is tried first. */
      readonly incidentId: string | null
      readonly because: FailingBecause | ControlBecause
    }
  | {
      readonly kind: 'cancel-interventions'
      readonly outcome: 'health_recovered' | 'maintenance' | 'configuration_changed'
      readonly because: EndBecause
    }
  /** Cancels interventions and notifications. */
  | ({ readonly kind: 'cancel-queued-actions' } & Silence)
  /** Nothing more is sent about the incident, and queued notifications of its episode are withdrawn. */
  | {
      readonly kind: 'incident-dismissed'
      readonly incidentId: string
      readonly episodeId: string
      readonly because: ControlBecause
    }
  /** Nothing is sent again; what the dismissal withdrew counts as untold from now on. */
  | { readonly kind: 'incident-reopened'; readonly incidentId: string }

/** Why everything queued is withdrawn. */
export type Silence =
  | { readonly outcome: 'disabled' | 'removed'; readonly because: LeftBecause }
  | { readonly outcome: 'snoozed'; readonly because: ControlBecause }

export function unchanged(state: Health): Step {
  return { state, events: [], effects: [] }
}

export function become(step: Step, changes: Partial<Health>): Step {
  return { ...step, state: { ...step.state, ...changes } }
}

export function inEpisode(step: Step, changes: Partial<Episode>): Step {
  const { episode } = step.state
  return episode === null ? step : become(step, { episode: { ...episode, ...changes } })
}

export function record(step: Step, event: MonitorEvent): Step {
  return { ...step, events: [...step.events, event] }
}

export function order(step: Step, effect: Effect): Step {
  return { ...step, effects: [...step.effects, effect] }
}

/** A dismissed incident sends nothing, not even its green. */
export function notify(step: Step, color: Color, cause: Cause, because: Because): Step {
  const isOfEpisode = cause === 'episode' || cause === 'repeat'
  if (isOfEpisode && isDismissed(step.state)) return step
  const episode = isOfEpisode ? step.state.episode : null
  return order(step, {
    kind: 'notify',
    color,
    cause,
    episodeId: episode?.id ?? null,
    incidentId: episode?.incident?.id ?? null,
    since: episode?.firstFailureAt ?? null,
    acknowledgedBy: episode?.incident?.handling?.acknowledged?.by ?? null,
    because,
  })
}

/** Sends a notification of the current episode: from here on a green is owed. */
export function announce(step: Step, color: Color, because: Because): Step {
  return notify(inEpisode(step, { announced: true }), color, 'episode', because)
}
