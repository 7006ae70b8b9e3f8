// actions/action.ts: one line of the ledger: an intervention or a code on its way to one destination. Plain data.
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

export type ActionOutcome = CancelOutcome | 'accepted' | 'rejected' | 'timed_out' | 'interrupted' | 'gone'

/** What a code speaks of. */
export interface CodeSubject {
  readonly cause: Cause
  readonly episodeId: string | null
  readonly incidentId: string | null
}

export interface Action {
  readonly id: string
  /** The stable identity of its monitor. */
  readonly monitorId: string
  readonly kind: ActionKind
  readonly color: Color | null
  /** Null for interventions. */
  readonly cause: Cause | null
  /** The destination of a code; null for interventions. */
  readonly endpoint: string | null
  readonly episodeId: string | null
  readonly incidentId: string | null
  /** 1 for the first try; a retry is another action with the next number. */
  readonly attempt: number
  /** Rises with every change of this action. */
  readonly revision: number
  readonly state: ActionState
  readonly outcome: ActionOutcome | null
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
  readonly followUp: CodeSubject | null
}

export function isOpen(action: Action): boolean {
  return action.state === 'queued' || action.state === 'started'
}

/** Reached its destination, or may have. */
export function mayHaveArrived(action: Action): boolean {
  return action.state === 'succeeded' || action.state === 'unknown'
}

/** The same action after the service's clock was set by so much. */
export function movedAction(action: Action, stepMs: number): Action {
  const { queuedAt, notBefore, startedAt, finishedAt } = action
  return {
    ...action,
    queuedAt: queuedAt + stepMs,
    notBefore: notBefore + stepMs,
    startedAt: startedAt === null ? null : startedAt + stepMs,
    finishedAt: finishedAt === null ? null : finishedAt + stepMs,
  }
}
