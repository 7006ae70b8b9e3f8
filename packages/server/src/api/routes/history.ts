// api/routes/history.ts: retained events in the order of their commits. A pagination sees the log as it was at its
// first page; what cannot be read is unavailable, never an empty list.
import { timestamp } from '../../platform/wire.ts'
import { becauseV1 } from '../../projection/because-view.ts'
import { eventNote, eventReason } from '../../projection/event-reason.ts'
import { type IncidentEventPage, IncidentEvents } from '../../projection/incident-events.ts'
import { ApiError } from '../../requests/problem.ts'
import type { StoredIncident } from '../../store/incident.ts'
import { retentionDays } from '../../store/retention.ts'
import type { EventPage, EventQuery, Store } from '../../store/store.ts'
import { Cursors } from '../cursor.ts'
import { readable } from '../readable.ts'
import { json, type Route, route } from '../route.ts'

export interface HistorySource {
  readonly store: Pick<Store, 'identity' | 'readEvents' | 'findMonitor' | 'readIncident' | 'readAction'>
  /** The committed position now. */
  readonly position: () => number
  readonly tellsReasons: boolean
}

export function historyRoute({ store, position, tellsReasons }: HistorySource): Route {
  const cursors = new Cursors(store.identity)
  const view = tellsReasons ? nextEventView : eventView
  return route('GetHistory', async ({ query }) => {
    const { monitor_id: monitorId = null, incident_id: incidentId = null } = query
    const { limit = 100, order = 'asc', cursor } = query
    const list = { monitorId, incidentId, order }
    const place = cursor === undefined ? null : cursors.read(cursor, list, position())
    const upTo = place?.upTo ?? position()
    const after = place?.after ?? null
    const asked = { order, upTo, after, limit }
    const page =
      incidentId === null
        ? await readHistory(pageOfLog(store, { ...asked, monitorId }))
        : await readHistory(new IncidentEvents(store, await incidentOf(incidentId, monitorId)).read(asked))
    if (after !== null && isPassed(after, order, page))
      throw new ApiError('cursor_expired', 'The next event is no longer kept; begin again without a cursor.')
    if (monitorId !== null && page.events.length === 0 && cursor === undefined)
      await requireKnown(store, monitorId)
    const { more, last } = page
    const next = more && last !== null ? cursors.write({ upTo, after: last }, list) : null
    return json({ events: page.events.map(view), next_cursor: next, retention_days: retentionDays })
  })

  async function incidentOf(id: string, monitorId: string | null): Promise<StoredIncident> {
    const incident = await readHistory(store.readIncident(id))
    if (incident !== null && (monitorId === null || monitorId === incident.monitorId)) return incident
    throw new ApiError('incident_not_found', 'No incident has this id, or it is no longer kept.')
  }
}

/** v1 does not tell of writes to resources. The store steps over them, so that pages are full and cursors right. */
async function pageOfLog(store: Pick<Store, 'readEvents'>, asked: EventQuery): Promise<IncidentEventPage> {
  const page = await store.readEvents({ ...asked, withoutResources: true })
  return { ...page, last: page.events.at(-1)?.position ?? null }
}

async function requireKnown(store: HistorySource['store'], monitorId: string): Promise<void> {
  if ((await readHistory(store.findMonitor(monitorId))) === null)
    throw new ApiError('monitor_not_found', 'No monitor has this identity, and no event of it is kept.')
}

/** Retention has removed the event that would come next. */
function isPassed(after: number, order: 'asc' | 'desc', { oldest }: EventPage): boolean {
  return order === 'asc' ? after + 1 < oldest : after <= oldest
}

function eventView(event: EventPage['events'][number]) {
  return {
    id: String(event.position),
    monitor_id: event.monitorId,
    at: timestamp(event.at),
    type: event.type,
    revision: event.revision,
    incident_id: event.incidentId,
    action_id: event.actionId,
    kind: event.kind,
    color: event.color,
    endpoint: event.endpoint,
    outcome: event.outcome,
    reason: eventReason(event),
    actor: event.actor,
  }
}

/** An event as the edition with controls shows it. */
export function nextEventView(event: EventPage['events'][number]) {
  return { ...eventView(event), note: eventNote(event), because: becauseV1(event.because) }
}

function readHistory<Value>(reading: Promise<Value>): Promise<Value> {
  return readable(reading, 'history_unavailable', 'The history cannot be read now.')
}
