// explaining/past.ts: what the log says of a monitor at an earlier moment. It is read backwards from its end, and only so far.
import type { Action } from '../deciding/actions/action.ts'
import type { Instant } from '../deciding/health/health.ts'
import type { StoredIncident } from '../store/incident.ts'
import type { EventPage, Store } from '../store/store.ts'

export type PastStore = Pick<Store, 'findMonitor' | 'listActions' | 'listIncidents' | 'readEvents'>

type Event = EventPage['events'][number]

export interface Past {
  /** The incident that was open then; null if none was. */
  readonly incident: StoredIncident | null
  /** Its recoveries and notifications, the newest first, as they were then. */
  readonly actions: readonly Action[]
  /** When the snooze of then was to end; null if it was not snoozed. */
  readonly snoozedUntilMs: number | null
  /** What it depends on that was in trouble then; null if nothing was. */
  readonly ancestor: { readonly id: string; readonly from: Instant; readonly to: Instant | null } | null
  /** The first incident that opened after that; null if none has. */
  readonly nextIncident: StoredIncident | null
}

/** A monitor has a handful of incidents, events and actions a day: these are those of months. */
const pageSize = 500
const mostPages = 20

/** The time of the first event that is kept; null if nothing was recorded yet. */
export async function recordBegins(store: PastStore): Promise<Instant | null> {
  const query = {
    monitorId: null,
    order: 'asc',
    upTo: Number.MAX_SAFE_INTEGER,
    after: null,
    limit: 1,
  } as const
  return (await store.readEvents(query)).events[0]?.at ?? null
}

/** Null if no monitor has this id and none that had it is kept. */
export async function pastOf(store: PastStore, monitorId: string, at: Instant): Promise<Past | null> {
  if ((await store.findMonitor(monitorId)) === null) return null
  const incidents = await incidentsOf(store, monitorId)
  const incident = incidents.find((one) => isOpenAt(one, at)) ?? null
  const later = incidents.filter(({ openedAt }) => openedAt !== null && openedAt > at)
  const events = await eventsUntil(store, monitorId, at)
  const actions = incident === null ? [] : await actionsUntil(store, monitorId, at)
  return {
    incident,
    actions: actions
      .filter(({ incidentId }) => incidentId === incident?.id)
      .map((action) => asOf(action, at)),
    snoozedUntilMs: snoozeIn(events, at),
    ancestor: incident === null ? await ancestorIn(store, events, at) : null,
    nextIncident: later.at(-1) ?? null,
  }
}

/** Newest first. */
async function incidentsOf(store: PastStore, monitorId: string): Promise<StoredIncident[]> {
  const query = { monitorId, upTo: Number.MAX_SAFE_INTEGER, after: null, limit: pageSize }
  return [...(await store.listIncidents(query)).incidents]
}

function isOpenAt({ openedAt, closed }: StoredIncident, at: Instant): boolean {
  return openedAt !== null && openedAt <= at && (closed === null || closed.at > at)
}

/** Newest first. */
async function eventsUntil(store: PastStore, monitorId: string, at: Instant): Promise<Event[]> {
  let after: number | null = null
  for (let page = 0; page < mostPages; page++) {
    const query = { monitorId, order: 'desc', upTo: Number.MAX_SAFE_INTEGER, after, limit: pageSize } as const
    const { events, more }: EventPage = await store.readEvents(query)
    const before = events.filter((event) => event.at <= at)
    if (before.length > 0 || !more) return before
    after = events.at(-1)!.position
  }
  return []
}

/** Newest first. */
async function actionsUntil(store: PastStore, monitorId: string, at: Instant): Promise<Action[]> {
  let after: number | null = null
  for (let page = 0; page < mostPages; page++) {
    const listed: Awaited<ReturnType<PastStore['listActions']>> = await store.listActions({
      ...{ monitorId, after, limit: pageSize },
    })
    const before = listed.actions.map(({ action }) => action).filter(({ queuedAt }) => queuedAt <= at)
    if (before.length > 0 || !listed.more) return before
    after = listed.actions.at(-1)!.number
  }
  return []
}

/** Without what became of it later. */
function asOf(action: Action, at: Instant): Action {
  const { finishedAt, startedAt } = action
  if (finishedAt !== null && finishedAt <= at) return action
  const { endedBecause: _, ...open } = action
  const isStarted = startedAt !== null && startedAt <= at
  const unfinished = { ...open, outcome: null, reason: null, finishedAt: null, untold: null, review: null }
  return isStarted ? { ...unfinished, state: 'started' } : { ...unfinished, state: 'queued', startedAt: null }
}

function snoozeIn(events: readonly Event[], at: Instant): number | null {
  const last = events.find(({ type }) => /^(control_snoozed|control_unsnoozed|snooze_expired)$/.test(type))
  if (last?.type !== 'control_snoozed' || last.because?.kind !== 'control') return null
  const { until = null } = last.because
  return until !== null && until > at ? until : null
}

/** The last thing that happened to it was that an incident was suppressed, and what suppressed it had one of its own then. */
async function ancestorIn(
  store: PastStore,
  events: readonly Event[],
  at: Instant,
): Promise<Past['ancestor']> {
  const last = events.find(({ type }) => /^incident_(opened|closed|suppressed)$/.test(type))
  if (last?.type !== 'incident_suppressed' || last.because?.kind !== 'ancestor') return null
  const id = last.because.ancestor
  for (const incident of await incidentsOf(store, id)) {
    if (incident.openedAt === null) continue
    const from = failingSince(incident, incident.openedAt)
    const to = incident.closed?.at ?? null
    if (from <= at && (to === null || to > at)) return { id, from, to }
  }
  return null
}

/** Its first failure, if the reason says how long it had been failing. */
function failingSince({ because }: StoredIncident, openedAt: Instant): Instant {
  const failingMs = because !== null && 'failingMs' in because ? (because.failingMs ?? 0) : 0
  return openedAt - failingMs
}
