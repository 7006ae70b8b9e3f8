// views/alerts/recent-closes.ts: the incidents that closed last, from a page of events. How long one lasted, and
// why it opened, is known only if its opening is on the same page.
import type { HistoryEvent } from '../../data/history.ts'
import { causeOf, type IncidentCause } from '../../words/incident-cause.ts'

export interface ClosedIncident {
  readonly id: string
  readonly incidentId: string | null
  readonly monitorId: string
  readonly closedAt: string
  readonly outcome: HistoryEvent['outcome']
  readonly lastedMs: number | null
  readonly cause: IncidentCause | null
}

/** `events`: newest first, as requested. */
export function recentCloses(events: readonly HistoryEvent[], most: number): readonly ClosedIncident[] {
  const openings = new Map(
    events.flatMap((event) =>
      event.type === 'incident_opened' && event.incident_id !== null
        ? [[event.incident_id, event] as const]
        : [],
    ),
  )
  return events
    .flatMap(({ type, id, incident_id, monitor_id, at, outcome }) => {
      if (type !== 'incident_closed' || monitor_id === null) return []
      const opened = openings.get(incident_id ?? '')
      const lastedMs = opened === undefined ? null : Date.parse(at) - Date.parse(opened.at)
      const cause = opened === undefined ? null : causeOf(opened)
      return [{ id, incidentId: incident_id, monitorId: monitor_id, closedAt: at, outcome, lastedMs, cause }]
    })
    .slice(0, most)
}
