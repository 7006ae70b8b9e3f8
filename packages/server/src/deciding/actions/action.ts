// deciding/actions/action.ts: an action of the ledger as plain data: an intervention, or a notification to one
// destination. The values of ActionKind, ActionState and the outcomes are stored, and are those of the API.
import type { Severity } from '../../config/fleet-file/on-call.ts'
import type { DelayBecause, EndBecause, RecordedBecause } from '../health/because.ts'
import type { Instant } from '../health/health.ts'
import type { Cause, Color } from '../health/step.ts'

/** The store and the API call a notification a code. */
export type ActionKind = 'intervention' | 'code'
export type ActionState = 'queued' | 'started' | 'succeeded' | 'failed' | 'unknown' | 'cancelled'

export type CancelOutcome =
  | 'superseded'
  | 'health_recovered'
  | 'configuration_changed'
  | 'removed'
  | 'disabled'
  | 'maintenance'
  | 'expired'
  | 'snoozed'
  | 'dismissed'

export type RecordedOutcome = CancelOutcome | 'accepted' | 'rejected' | 'timed_out' | 'interrupted' | 'gone'

/** An incident that a destination should have been told about but was not. */
export interface Untold {
  /** Since when it counts as untold; null while it is open and its red may have arrived. */
  readonly since: Instant | null
  /** The first failure. */
  readonly from: Instant
  /** When it closed; null while it is open. */
  readonly to: Instant | null
}

/** How the incident of a notification ended. */
export interface ClosedIncident {
  readonly at: Instant
  readonly wasDismissed: boolean
}

export type ActionCause = Cause | 'digest' | 'page'

/**
 * What a notification of a page is: a step, its acknowledgement, its end, several that somebody missed in quiet hours, or
 * the message to the default destinations that nobody is on call.
 */
export type PageStage = 'step' | 'acknowledged' | 'ended' | 'missed' | 'nobody' | 'handover'

/** What a notification tells people of a page, as it was when it was decided. */
export interface PageNews {
  readonly page: string
  readonly policy: string
  readonly stage: PageStage
  /** Together with the page and the endpoint, the key of a step: no step is sent twice. */
  readonly start: number
  readonly round: number
  readonly step: number
  /** Null for an endpoint that is nobody's. */
  readonly person: string | null
  readonly severity: Severity
  /** How many monitors the page is about. */
  readonly monitors: number
  /** The worst of them. */
  readonly lead: string
  /** Some others. */
  readonly others: readonly string[]
  /** Who acknowledged it; absent if nobody has. */
  readonly by?: string
  /** Only of a hand-over, which is about a schedule and no page. */
  readonly handover?: {
    readonly schedule: string
    /** Null for nobody. */
    readonly from: string | null
    readonly to: string | null
    /** Null if no end is near. */
    readonly untilMs: number | null
    /** Further endpoints of the person, tried in this order if this one fails; absent in what earlier versions stored. */
    readonly next?: readonly string[]
  }
}

/** What a notification is about. */
export interface NotificationSubject {
  readonly cause: ActionCause
  readonly episodeId: string | null
  readonly incidentId: string | null
  /** The first failure of the episode; null where there is none. */
  readonly since: Instant | null
  /** Who had acknowledged the incident when the notification was decided. */
  readonly acknowledgedBy: string | null
  /** Why the notification was decided. */
  readonly because: RecordedBecause
  /** Of a page; absent for all others. */
  readonly page?: PageNews
}

export const reviewResolutions = ['accepted', 'rejected', 'inconclusive'] as const
export type ReviewResolution = (typeof reviewResolutions)[number]

/** A person's findings about an action whose outcome was unknown. */
export interface Review {
  /** Incremented by every review of the action; 1 before the first. */
  readonly revision: number
  readonly resolution: ReviewResolution
  readonly actor: string
  readonly at: Instant
  readonly reason: string | null
  readonly note: string | null
  /** References as entered; the service never fetches them. */
  readonly evidenceRefs: readonly string[]
  /** What a later report said against this review, in words. The outcome is then unknown again. */
  readonly conflict?: string
}

export interface Action {
  readonly id: string
  /** The stable identity of its monitor; null for digests and pages, which are about many. */
  readonly monitorId: string | null
  readonly kind: ActionKind
  /** Null for interventions, digests and pages. */
  readonly color: Color | null
  /** Null for interventions. */
  readonly cause: ActionCause | null
  /** The destination of a notification; null for interventions. */
  readonly endpoint: string | null
  readonly episodeId: string | null
  readonly incidentId: string | null
  /** The first failure of the episode; null where there is none. */
  readonly since: Instant | null
  readonly acknowledgedBy: string | null
  /** Of a page; absent for all others. */
  readonly page?: PageNews
  /** Why it was decided; a retry has the reason of its first attempt. */
  readonly because: RecordedBecause
  /** Why it does not start before `notBefore`, and which action it retries; absent if it need not wait. */
  readonly delay?: DelayBecause
  /** 1 for the first attempt; a retry is a new action with the next number. */
  readonly attempt: number
  /** When the first attempt started; null before that. */
  readonly triedSince: Instant | null
  /** Incremented by every change of the action. */
  readonly revision: number
  readonly state: ActionState
  readonly outcome: RecordedOutcome | null
  readonly queuedAt: Instant
  /** Earliest start: set by a cooldown, a retry, or a wait that the provider asked for. */
  readonly notBefore: Instant
  readonly startedAt: Instant | null
  readonly finishedAt: Instant | null
  /** Why it ended as it did, in words, without secrets. */
  readonly reason: string | null
  /** Absent while the action is open, and if it was accepted. */
  readonly endedBecause?: EndBecause
  /**
   * What came up in the same color for the same destination while this action was in flight. It is queued
   * when this action has ended, because two open notifications of one color are forbidden. It is stored here
   * so that it survives a restart.
   */
  readonly followUp: NotificationSubject | null
  /**
   * On a started notification that has become pointless: the outcome that its retry would get. It is stored here because
   * a notification that no worker had taken at a restart was certainly not sent, and is tried again if it is still true.
   */
  readonly retryEndsAs?: CancelOutcome
  readonly retryEndsBecause?: EndBecause
  /**
   * On a red whose incident closed while it was in flight. It is stored here because the answer may be lost
   * with the process. The next process has to know whether the incident went untold, and from when to when.
   */
  readonly incidentClosed?: ClosedIncident
  /**
   * On a red that was not delivered: its incident is untold until a green or a digest reports it. It is
   * stored here so that it survives a restart.
   */
  readonly untold: Untold | null
  /**
   * On a green that was withdrawn unsent: the last thing its destination was told is no longer true, so the
   * monitor's next green goes there too. It is stored here so that it survives a restart.
   */
  readonly owesGreen: boolean
  /** The latest review; null if there is none. */
  readonly review: Review | null
}

/** Why a notification or a recovery is withdrawn. */
export interface Withdrawal {
  readonly outcome: CancelOutcome
  readonly because: EndBecause
}

/** As stored. Null in records of versions that kept no reasons. */
export interface RecordedWithdrawal {
  readonly outcome: CancelOutcome
  readonly because: EndBecause | null
}

/** How an action ends. Only an accepted action needs no reason. */
export type End =
  | { readonly state: 'succeeded'; readonly outcome: 'accepted'; readonly reason: null }
  | {
      readonly state: 'failed' | 'unknown' | 'cancelled'
      readonly outcome: RecordedOutcome
      readonly reason: string | null
      /** Null only for a retry withdrawn by a version that kept no reasons. */
      readonly because: EndBecause | null
    }

/** The fields of the action's record that change when it ends. */
export function endFields(end: End, finishedAt: Instant) {
  const { state, outcome, reason } = end
  const because = end.state === 'succeeded' ? null : end.because
  const ended = { state, outcome, reason, finishedAt }
  return because === null ? ended : { ...ended, endedBecause: because }
}

/** The reason that the log gives for the action's current state. */
export function becauseOf({ state, because, endedBecause }: Action): RecordedBecause {
  if (state === 'queued') return because
  // Starts and acceptances only carry out what was decided, so they have no reason of their own.
  return state === 'started' ? null : (endedBecause ?? null)
}

/** A notification has a destination and a cause. */
export interface NotificationAction extends Action {
  readonly kind: 'code'
  readonly cause: ActionCause
  readonly endpoint: string
}

/** A red that was not delivered. */
export interface UntoldRed extends NotificationAction {
  readonly monitorId: string
  readonly untold: Untold
}

export function isUntoldRed(action: Action): action is UntoldRed {
  return action.kind === 'code' && action.monitorId !== null && action.untold !== null
}

export function isOpen(action: Action): boolean {
  return action.state === 'queued' || action.state === 'started'
}

export function reviewRevisionOf({ review }: Action): number {
  return review?.revision ?? 1
}

/** A person has found out the outcome. */
export function isConcluded({ review }: Action): boolean {
  return review !== null && review.resolution !== 'inconclusive' && review.conflict === undefined
}

/** The outcome is unknown, and no review has settled it. */
export function isUnknown(action: Action): boolean {
  return action.state === 'unknown' && !isConcluded(action)
}

/** Open, unknown, or with an untold incident or an owed green: the next process has to load it, however old it is. */
export function isUnsettled(action: Action): boolean {
  return isOpen(action) || isUnknown(action) || action.untold !== null || action.owesGreen
}

/** The notification reached its destination, or may have. */
export function mayHaveArrived(action: Action): boolean {
  return action.state === 'succeeded' || action.state === 'unknown'
}

/** From highest to lowest: the first color with an open action is the monitor's pending color. */
export const colorsByRank = ['red', 'yellow', 'cyan', 'green', 'gray'] as const satisfies readonly Color[]

const superseded: Readonly<Record<Color, readonly Color[]>> = {
  green: ['yellow', 'red', 'cyan'],
  red: ['yellow', 'green', 'cyan'],
  yellow: [],
  cyan: [],
  gray: [],
}

/** Whether the newer color makes a queued one pointless. */
export function supersedes(newer: Color, queued: Color): boolean {
  return superseded[newer].includes(queued)
}

/** The same action after the service's clock was set: every instant moves by the step. */
export function movedAction(action: Action, stepMs: number): Action {
  const move = (instant: Instant | null) => (instant === null ? null : instant + stepMs)
  const { untold, review, incidentClosed: closed } = action
  return {
    ...action,
    ...(closed !== undefined && { incidentClosed: { ...closed, at: closed.at + stepMs } }),
    review: review === null ? null : { ...review, at: review.at + stepMs },
    since: move(action.since),
    queuedAt: action.queuedAt + stepMs,
    notBefore: action.notBefore + stepMs,
    triedSince: move(action.triedSince),
    startedAt: move(action.startedAt),
    finishedAt: move(action.finishedAt),
    untold:
      untold === null ? null : { since: move(untold.since), from: untold.from + stepMs, to: move(untold.to) },
  }
}

/** When to give up a notification whose first attempt started then: after a day it is no longer news. */
export function triedUntil(triedSince: Instant): Instant {
  return triedSince + triedForMs
}

export const triedForMs = 86_400_000
