// v1/words/action-words.ts: the outcome of a recovery or a notification, in plain words. The API's term is shown
// on hover: callers put it in a title.
import type { NextActionEntry } from '../state.ts'
import type { Code } from '../values.ts'
import { type WaitReason, waitWords } from './wait-words.ts'

export type ActionState = NextActionEntry['state']
export type ActionOutcome = NextActionEntry['outcome']
export type ActionKind = NextActionEntry['kind']

export interface DescribedAction {
  readonly kind: ActionKind
  readonly state: ActionState
  readonly outcome: ActionOutcome
  /** If known, a notification is named by them. */
  readonly color?: Code | null
  readonly endpoint?: string | null
  /** Only for a queued action. */
  readonly waiting_for?: WaitReason | null
}

const reasons: Readonly<Record<NonNullable<ActionOutcome>, string>> = {
  accepted: 'was accepted',
  rejected: 'was refused',
  timed_out: 'got no answer in time',
  interrupted: 'was interrupted when the service stopped',
  superseded: 'was replaced by a newer one',
  health_recovered: 'was no longer needed: the monitor recovered',
  configuration_changed: 'was dropped: the configuration changed',
  removed: 'was dropped: the monitor was removed',
  disabled: 'was dropped: the monitor was disabled',
  maintenance: 'was dropped: maintenance began',
  snoozed: 'was dropped: the monitor was snoozed',
  dismissed: 'was dropped: the incident was dismissed',
  gone: 'was refused: its destination is gone',
  expired: 'was dropped: it was out of date',
}

export function describeAction(action: DescribedAction): string {
  const { kind, state, outcome, waiting_for } = action
  const noun = nameOfAction(action)
  switch (state) {
    case 'queued':
      return `${noun} is waiting${waiting_for == null ? ' to be sent' : `: ${waitWords[waiting_for]}`}.`
    case 'started':
      return `${noun} was sent; no answer has come yet.`
    case 'unknown':
      return `${noun} was sent; ${loss(outcome)}, so it is held for review.`
    case 'succeeded':
      return `${noun} ${kind === 'code' ? 'was delivered' : 'was accepted'}.`
    case 'failed':
    case 'cancelled':
      return `${noun} ${outcome === null ? fallback[state] : reasons[outcome]}.`
  }
}

const fallback = { failed: 'failed', cancelled: 'was dropped' } as const

/** Starts a sentence. */
export function nameOfAction({
  kind,
  color,
  endpoint,
}: Pick<DescribedAction, 'kind' | 'color' | 'endpoint'>): string {
  if (kind === 'intervention') return 'The recovery'
  if (color == null) return 'The notification'
  const name = `${color.charAt(0).toUpperCase()}${color.slice(1)}`
  return endpoint == null ? name : `${name} to ${endpoint}`
}

function loss(outcome: ActionOutcome): string {
  if (outcome === 'interrupted') return 'Pulseward stopped before its answer came'
  return 'its answer was lost'
}
