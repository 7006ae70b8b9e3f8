// views/alerts/recent-closes.ts: the incidents that closed last, from a page of events. How long one lasted
// is known only if its opening is on the same page.
import type { HistoryEvent } from '../../data/history.ts'

export interface ClosedIncident {
  readonly id: string
  readonly monitorId: string
  readonly closedAt: string
  readonly outcome: HistoryEvent['outcome']
  readonly lastedMs: number | null
}

/** `events`: newest first, as requested. */
export function recentCloses(events: readonly HistoryEvent[], most: number): readonly ClosedIncident[] {
  const openedAt = new Map(
    events.flatMap(({ type, incident_id, at }) =>
      type === 'incident_opened' && incident_id !== null ? [[incident_id, Date.parse(at)] as const] : [],
    ),
  )
  return events
    .flatMap(({ type, id, incident_id, monitor_id, at, outcome }) => {
      if (type !== 'incident_closed' || monitor_id === null) return []
      const openedAtMs = openedAt.get(incident_id ?? '')
      const lastedMs = openedAtMs === undefined ? null : Date.parse(at) - openedAtMs
      return [{ id, monitorId: monitor_id, closedAt: at, outcome, lastedMs }]
    })
    .slice(0, most)
}
