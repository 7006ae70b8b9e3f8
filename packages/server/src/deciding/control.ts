// deciding/control.ts: the controls that people may apply to an incident, a monitor or an action, each with the
// revision that the person saw, and notes, which depend on no state. A turn checks a control against the state that it finds, including
// turns that are still being committed.
import { type Action, type Review, type ReviewResolution, reviewRevisionOf } from './actions/action.ts'
import type { MonitorControlInput } from './decide.ts'
import { recoverableFrom, whyNotRecoverable } from './health/control-rules.ts'
import {
  controlRevisionOf,
  type Health,
  type HealthRules,
  type Instant,
  incidentRevisionOf,
} from './health/health.ts'
import type { Asked } from './health/input.ts'

interface ControlBase {
  /** The subject's revision when the person decided. */
  readonly revision: number
  readonly asked: Asked
}

export interface IncidentControl extends ControlBase {
  readonly verb: 'acknowledge' | 'dismiss' | 'reopen'
  /** The monitor that the incident belongs to. */
  readonly monitorId: string
  readonly incidentId: string
}

export interface SnoozeControl extends ControlBase {
  readonly verb: 'snooze'
  readonly monitorId: string
  readonly untilWallMs: number
}

export interface UnsnoozeControl extends ControlBase {
  readonly verb: 'unsnooze'
  readonly monitorId: string
}

export interface RecoverControl extends ControlBase {
  readonly verb: 'recover'
  readonly monitorId: string
  /** Applies only to this incident; null for any. */
  readonly incidentId: string | null
}

export interface ReviewControl extends ControlBase {
  readonly verb: 'review'
  readonly actionId: string
  readonly resolution: ReviewResolution
  readonly evidenceRefs: readonly string[]
}

/** It changes no state, so it is possible whenever the incident is kept, and its revision stays as it was read. */
export interface NoteControl extends ControlBase {
  readonly verb: 'note'
  readonly monitorId: string
  readonly incidentId: string
}

export type MonitorControl = IncidentControl | SnoozeControl | UnsnoozeControl | RecoverControl
export type Control = MonitorControl | ReviewControl | NoteControl

export type ControlRefusalCode =
  | 'notFound'
  | 'versionConflict'
  | 'incidentNotActive'
  | 'monitorNotSnoozed'
  | 'recoveryIneligible'
  | 'rateLimited'
  | 'actionNotUnknown'
  | 'executorUnfenced'
  | 'evidenceConflict'

/** Why a control was refused. A refused control changes nothing. */
export interface ControlRefusal {
  readonly code: ControlRefusalCode
  /** A sentence that says what to do. */
  readonly message: string
  /** Set if the same request can succeed later without anything else changing. */
  readonly retryAfterMs?: number
  /** The subject is already in the requested state. */
  readonly isSo?: true
}

export type ControlResult =
  | { readonly done: true; readonly before: number; readonly after: number }
  | { readonly done: false; readonly refusal: ControlRefusal }

export function refuse(code: ControlRefusalCode, message: string, retryAfterMs?: number): ControlRefusal {
  return retryAfterMs === undefined ? { code, message } : { code, message, retryAfterMs }
}

function alreadySo(code: ControlRefusalCode, message: string): ControlRefusal {
  return { code, message, isSo: true }
}

export const stale: ControlRefusal = refuse(
  'versionConflict',
  'It has changed since that revision. Read it again and decide based on its current state.',
)

/** Null if the control is possible. */
export function whyNot(
  state: Health,
  control: MonitorControl,
  rules: HealthRules,
  now: Instant,
): ControlRefusal | null {
  switch (control.verb) {
    case 'acknowledge':
    case 'dismiss':
    case 'reopen':
      return whyNotHandled(state, control)
    case 'snooze':
      return control.revision === controlRevisionOf(state) ? null : stale
    case 'unsnooze':
      if (control.revision !== controlRevisionOf(state)) return stale
      return state.snooze === null ? alreadySo('monitorNotSnoozed', 'The monitor is not snoozed.') : null
    case 'recover':
      return control.revision === controlRevisionOf(state)
        ? whyNotRecovered(state, control, rules, now)
        : stale
  }
}

export function whyNotReviewed(action: Action | null, { revision }: ReviewControl): ControlRefusal | null {
  if (action === null)
    return refuse('actionNotUnknown', 'The outcome of the action is known, so there is nothing to review.')
  return revision === reviewRevisionOf(action) ? null : stale
}

function whyNotHandled(state: Health, control: IncidentControl): ControlRefusal | null {
  const incident = state.episode?.incident ?? null
  if (incident === null || incident.id !== control.incidentId)
    return refuse('incidentNotActive', 'The incident is closed.')
  if (control.revision !== incidentRevisionOf(incident)) return stale
  const isDismissed = incident.handling?.isDismissed ?? false
  if (control.verb === 'dismiss' && isDismissed)
    return alreadySo('incidentNotActive', 'The incident is already dismissed.')
  if (control.verb === 'reopen' && !isDismissed)
    return alreadySo(
      'incidentNotActive',
      'The incident is open and not dismissed, so there is nothing to reopen.',
    )
  return null
}

function whyNotRecovered(
  state: Health,
  { incidentId }: RecoverControl,
  rules: HealthRules,
  now: Instant,
): ControlRefusal | null {
  const open = state.episode?.incident?.id ?? null
  if (incidentId !== null && incidentId !== open)
    return refuse('recoveryIneligible', 'The incident that this recovery is for is not open.')
  const ineligible = whyNotRecoverable(state, rules)
  if (ineligible !== null) return refuse('recoveryIneligible', ineligible)
  const waitMs = recoverableFrom(state) - now
  if (waitMs <= 0) return null
  const words =
    'A monitor is recovered by hand once per minute and three times per hour at most; try again later.'
  return refuse('rateLimited', words, waitMs)
}

export function inputOf(control: MonitorControl): MonitorControlInput {
  const { asked } = control
  switch (control.verb) {
    case 'acknowledge':
      return { kind: 'acknowledged', incidentId: control.incidentId, asked }
    case 'dismiss':
      return { kind: 'dismissed', incidentId: control.incidentId, asked }
    case 'reopen':
      return { kind: 'reopened', incidentId: control.incidentId, asked }
    case 'snooze':
      return { kind: 'snoozed', untilWallMs: control.untilWallMs, asked }
    case 'unsnooze':
      return { kind: 'unsnoozed', asked }
    case 'recover':
      return { kind: 'recovery-requested', asked }
  }
}

export function reviewOf({ revision, resolution, evidenceRefs, asked }: ReviewControl, at: Instant): Review {
  return { revision: revision + 1, resolution, at, evidenceRefs, ...asked }
}
