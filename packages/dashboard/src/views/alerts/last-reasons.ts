// views/alerts/last-reasons.ts: why the last action for an incident failed, was lost or was dropped. The list
// of incidents does not include it, but the events do; if it is not on a page that was read, it is unknown.
import type { HistoryEvent } from '../../data/history.ts'
import type { Incident } from '../../data/incidents.ts'

type Acted = Pick<Incident, 'monitor_id' | 'last_action'>

export function lastReason(
  { monitor_id, last_action }: Acted,
  events: readonly HistoryEvent[],
): string | null {
  if (last_action === null || monitor_id === undefined) return null
  const type = `action_${last_action.state}`
  const event = events.find(
    (one) =>
      // Not by incident: a failed recovery is older than the incident that it opens.
      one.monitor_id === monitor_id &&
      one.type === type &&
      one.kind === last_action.kind &&
      one.at === last_action.at,
  )
  return event?.reason ?? null
}
