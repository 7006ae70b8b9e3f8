// store/incident.ts: incidents as a store keeps them. The event that opens an incident creates its row, and the event
// that closes it completes the row. So an open incident is known even if its first event is no longer kept, and a closed
// one is kept as long as the event that closed it. What people did about it is kept with it.
import type { RecordedBecause } from '../deciding/health/because.ts'
import type { Instant } from '../deciding/health/health.ts'

export interface StoredIncident {
  readonly id: string
  readonly monitorId: string
  /** The position of the event that opened it; incidents are ordered by it. */
  readonly opened: number
  /** Null if that event was removed before incidents had rows. */
  readonly openedAt: Instant | null
  /** Why it opened; null if an earlier version decided it, which kept no reasons. */
  readonly because: RecordedBecause
  /** Null while it is open. */
  readonly closed: IncidentEnd | null
  readonly handling: IncidentHandling
}

/** What people last did about an incident. */
export interface IncidentHandling {
  /** 1 before the first control. */
  readonly revision: number
  readonly acknowledgedBy: string | null
  readonly acknowledgedAt: Instant | null
  /** Why it was dismissed, in words; null if it is not dismissed. */
  readonly dismissal: { readonly reason: string | null } | null
}

export const notHandled: IncidentHandling = {
  revision: 1,
  acknowledgedBy: null,
  acknowledgedAt: null,
  dismissal: null,
}

export interface IncidentEnd {
  readonly position: number
  readonly at: Instant
  readonly outcome: string | null
}

export interface IncidentQuery {
  /** Null for the incidents of all monitors. */
  readonly monitorId: string | null
  /** Incidents opened beyond this position are not shown; those closed beyond it are shown as open. */
  readonly upTo: number
  /** Exclusive: where the last page ended; null for the first page. */
  readonly after: number | null
  readonly limit: number
}

export interface IncidentPage {
  /** Newest first. */
  readonly incidents: readonly StoredIncident[]
  readonly more: boolean
}

/** What an event changes about an incident. */
export type IncidentChange =
  | (Pick<StoredIncident, 'id' | 'monitorId' | 'because'> & {
      readonly is: 'opened'
      readonly numericId: number
      readonly at: Instant
    })
  | { readonly is: 'closed'; readonly id: string; readonly at: Instant; readonly outcome: string | null }
  | { readonly is: 'handled'; readonly id: string; readonly handling: Partial<IncidentHandling> }

/** The logged fields of an event that may be about an incident. */
interface LoggedEvent {
  readonly type: string
  readonly incidentId: string | null
  readonly monitorId: string | null
  readonly numericId: number | null
  readonly at: Instant
  readonly outcome: string | null
  readonly actor: string | null
  readonly detail: object | null
  readonly because: RecordedBecause
}

/** Null for an event that neither opens nor closes an incident, nor records what people did about it. */
export function incidentChange(event: LoggedEvent): IncidentChange | null {
  const { type, incidentId: id, monitorId, numericId, at, outcome, because } = event
  if (id === null || monitorId === null || numericId === null) return null
  if (type === 'incident_opened') return { is: 'opened', id, monitorId, numericId, at, because }
  if (type === 'incident_closed') return { is: 'closed', id, at, outcome }
  const handling = handlingIn(event)
  return handling === null ? null : { is: 'handled', id, handling }
}

function handlingIn({ type, actor, at, detail }: LoggedEvent): Partial<IncidentHandling> | null {
  const { revision, reason = null } = (detail ?? {}) as { revision?: number; reason?: string | null }
  if (revision === undefined) return null
  if (type === 'control_acknowledged') return { revision, acknowledgedBy: actor, acknowledgedAt: at }
  if (type === 'control_dismissed') return { revision, dismissal: { reason } }
  return type === 'control_reopened' ? { revision, dismissal: null } : null
}

/** The incident as it was at this position of the log. */
export function asOf(incident: StoredIncident, upTo: number): StoredIncident {
  const { closed } = incident
  return closed !== null && closed.position > upTo ? { ...incident, closed: null } : incident
}
