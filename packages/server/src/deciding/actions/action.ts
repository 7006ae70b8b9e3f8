// deciding/actions/action.ts: one line of the ledger: an intervention or a code on its way to one destination. Plain data.
// queued → started → succeeded | failed | unknown, or queued → cancelled. Every attempt is an action of its own.
import type { Instant } from '../health/health.ts'
import type { Cause, Color } from '../health/step.ts'

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

export type RecordedOutcome = CancelOutcome | 'accepted' | 'rejected' | 'timed_out' | 'interrupted' | 'gone'

/** An incident that a destination was not told of, although it should have been. */
export interface Untold {
  /** Since when it counts as untold; null while it is open and its red may yet have arrived. */
  readonly since: Instant | null
  /** The first failure. */
  readonly from: Instant
  /** When it closed; null while it is open. */
  readonly to: Instant | null
}

export type ActionCause = Cause | 'digest'

/** What a notification speaks of. */
export interface NotificationSubject {
  readonly cause: ActionCause
  readonly episodeId: string | null
  readonly incidentId: string | null
  /** The first failure of the episode; null where there is none. */
  readonly since: Instant | null
}

export interface Action {
  readonly id: string
  /** The stable identity of its monitor; null for a digest, which speaks of many. */
  readonly monitorId: string | null
  readonly kind: ActionKind
  /** Null for interventions and digests. */
  readonly color: Color | null
  /** Null for interventions. */
  readonly cause: ActionCause | null
  /** The destination of a notification; null for interventions. */
  readonly endpoint: string | null
  readonly episodeId: string | null
  readonly incidentId: string | null
  /** The first failure of the episode; null where there is none. */
  readonly since: Instant | null
  /** 1 for the first try; a retry is another action with the next number. */
  readonly attempt: number
  /** When the first attempt started; null before that. */
  readonly triedSince: Instant | null
  /** Rises with every change of this action. */
  readonly revision: number
  readonly state: ActionState
  readonly outcome: RecordedOutcome | null
  readonly queuedAt: Instant
  /** Not to be started earlier: cooldown, retry, provider's wait. */
  readonly notBefore: Instant
  readonly startedAt: Instant | null
  readonly finishedAt: Instant | null
  /** Why it ended as it did, in words and without secrets. */
  readonly reason: string | null
  /**
   * What the same color had to say to the same destination while this was under way: queued when it has ended. It is
   * kept here because two open actions of one color are forbidden and a code must survive a restart.
   */
  readonly followUp: NotificationSubject | null
  /**
   * On the last red of an incident that did not arrive: until a green or a digest has told of it. It is kept here
   * because it follows from this action and must survive a restart.
   */
  readonly untold: Untold | null
}

export function isOpen(action: Action): boolean {
  return action.state === 'queued' || action.state === 'started'
}

/** Open, or something about it is still to be cleared up: the next process has to know it, however old it is. */
export function isUnsettled(action: Action): boolean {
  return isOpen(action) || action.state === 'unknown' || action.untold !== null
}

/** Reached its destination, or may have. */
export function mayHaveArrived(action: Action): boolean {
  return action.state === 'succeeded' || action.state === 'unknown'
}

/** From the highest: the first of them with an open action is the pending color of a monitor. */
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

/** The same action after the service's clock was set by so much. */
export function movedAction(action: Action, stepMs: number): Action {
  const move = (instant: Instant | null) => (instant === null ? null : instant + stepMs)
  const { untold } = action
  return {
    ...action,
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

/** When a notification is given up whose first attempt started then: what is a day old is not news any more. */
export function triedUntil(triedSince: Instant): Instant {
  return triedSince + triedForMs
}

const triedForMs = 86_400_000
