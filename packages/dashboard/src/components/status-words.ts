// components/status-words.ts: how monitors look to people, in words and in the order in which people want to see them:
// the seven statuses, and snoozed monitors apart from disabled ones. The wire calls both disabled.
import { type Status, statuses } from '@pulseward/contract'
import { statusMeanings } from '@pulseward/contract/v1/words'

export type Look = Status | 'snoozed'

/** The statuses first, so that their numbers are those of the wire. */
export const looks: readonly Look[] = [...statuses, 'snoozed']

/** What shows how a monitor looks; only the edition with snoozes has the end of one. */
export interface Looking {
  readonly status: Status
  readonly snoozed_until?: string | null
}

export function lookOf({ status, snoozed_until }: Looking): Look {
  return snoozed_until == null ? status : 'snoozed'
}

export const statusWords: Readonly<Record<Look, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  verifying: 'Verifying',
  down: 'Down',
  incident: 'Incident',
  unknown: 'Unknown',
  snoozed: 'Snoozed',
  disabled: 'Disabled',
}

/** The snoozed ones among those that the wire calls disabled have a look of their own. */
export const lookMeanings: Readonly<Record<Look, string>> = {
  ...statusMeanings,
  snoozed: 'It is not checked and nobody is notified until the snooze ends.',
}

/** From healthy to unhealthy, then unknown, then those that are not checked. */
const lookOrder: readonly Look[] = [
  ...(['up', 'degraded', 'verifying', 'down', 'incident', 'unknown', 'snoozed', 'disabled'] as const),
]

/** What the overview says of the fleet by status; only the edition with snoozes counts them. */
export interface Counted {
  readonly by_status: Readonly<Record<Status, number>>
  readonly snoozed?: number
}

/** How many monitors have each look: every monitor is in one of them. */
export function lookCounts({ by_status, snoozed }: Counted): readonly (readonly [Look, number])[] {
  const counts = { ...by_status, disabled: by_status.disabled - (snoozed ?? 0), snoozed: snoozed ?? 0 }
  return lookOrder
    .filter((look) => look !== 'snoozed' || snoozed !== undefined)
    .map((look) => [look, counts[look]] as const)
}
