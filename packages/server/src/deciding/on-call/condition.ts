// deciding/on-call/condition.ts: where an incident stands for its policy, from the health of its monitor alone, so that the
// next process arrives at the same answer. Pure.
import { type Health, type Instant, isDismissed } from '../health/health.ts'
import type { Condition } from './page.ts'

export interface Standing {
  readonly condition: Condition
  readonly incidentId: string
  /** When its first check failed. */
  readonly since: Instant
  /** Who acknowledged the incident, and when; null if no person has. */
  readonly acknowledged: { readonly by: string; readonly at: number } | null
}

/**
 * Null if there is nothing to tell about: no incident, a dismissed one, or a monitor that is not watched. `forgotten`: the
 * acknowledgement that counts no longer, by its time; null if there is none.
 */
export function standingOf(health: Health, forgotten: Instant | null): Standing | null {
  const { episode, lifecycle, maintenance, snooze } = health
  const incident = episode?.incident ?? null
  if (episode === null || incident === null || lifecycle !== 'enabled' || isDismissed(health)) return null
  const acknowledged = incident.handling?.acknowledged ?? null
  const isSilent = maintenance !== null || snooze !== null || episode.suppressedBy !== null
  const isAcknowledged = acknowledged !== null && acknowledged.at !== forgotten
  const condition = isSilent ? 'silent' : isAcknowledged ? 'acknowledged' : 'open'
  return { condition, incidentId: incident.id, since: episode.firstFailureAt, acknowledged }
}
