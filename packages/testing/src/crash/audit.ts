// crash/audit.ts: checks what must hold of the history and of what the providers received, however often the
// service was killed. Pure: it compares events and receipts and returns sentences about what is wrong.
import type { HistoryEvent, NextHistoryEvent } from '@pulseward/contract'
import type { CrashMonitor } from './crash-fleet.ts'
import type { Receipt } from './crash-receivers.ts'

/** Of either edition. */
type AuditedEvent = Pick<NextHistoryEvent, keyof HistoryEvent>

/** What the history says about one action. */
interface ActionLife {
  readonly id: string
  readonly monitorId: string
  readonly color: string | null
  readonly endpoint: string | null
  readonly incidentId: string | null
  readonly states: string[]
  outcome: string | null
  /** Places in the history; null until it happens. */
  queuedAt: number | null
  startedAt: number | null
  endedAt: number | null
}

/** Events that were read before are still there and unchanged. */
export function changedEvents(before: readonly AuditedEvent[], now: readonly AuditedEvent[]): string[] {
  const changed = before.find((event, index) => JSON.stringify(event) !== JSON.stringify(now[index]))
  return changed === undefined ? [] : [`event ${changed.id} is not what it was, or is gone`]
}

/** Positions are consecutive; none is skipped or used twice. */
export function missingEvents(events: readonly { readonly id: string }[]): string[] {
  for (const [index, { id }] of events.entries())
    if (Number(id) !== index + 1) return [`event ${id} stands where event ${index + 1} belongs`]
  return []
}

/** Incidents of one monitor open and close in turn. */
export function disorderedIncidents(events: readonly AuditedEvent[]): string[] {
  const open = new Map<string | null, string | null>()
  const wrong: string[] = []
  for (const { id, type, monitor_id: monitor, incident_id: incident } of events) {
    if (type === 'incident_opened') {
      if (open.has(monitor)) wrong.push(`event ${id}: ${monitor} opens an incident while one is open`)
      open.set(monitor, incident)
    } else if (type === 'incident_closed') {
      if (open.get(monitor) !== incident) wrong.push(`event ${id}: ${monitor} closes what is not open`)
      open.delete(monitor)
    }
  }
  return wrong
}

/** An action is queued, started and ended in this order, and each only once. */
export function disorderedActions(events: readonly AuditedEvent[]): string[] {
  const allowed = /^queued( cancelled|( started( (succeeded|failed|unknown))?)?)$|^(cancelled|failed)$/
  return [...livesOf(events).values()]
    .filter(({ states }) => !allowed.test(states.join(' ')))
    .map(({ id, states }) => `action ${id} went ${states.join(', ')}`)
}

/** No provider was called before the start was committed, and none twice for one action. */
export function unfoundedCalls(
  events: readonly AuditedEvent[],
  receipts: readonly Pick<Receipt, 'actionId'>[],
): string[] {
  const lives = livesOf(events)
  const calls = new Map<string, number>()
  for (const { actionId } of receipts) calls.set(actionId, (calls.get(actionId) ?? 0) + 1)
  return [...calls].flatMap(([actionId, count]) => {
    if (lives.get(actionId)?.startedAt == null) return [`action ${actionId} arrived and was never started`]
    return count === 1 ? [] : [`action ${actionId} arrived ${count} times`]
  })
}

/** What one process had started is ended in the history of a later one: by its answer, or as unknown. */
export function openAfterRestart(before: readonly AuditedEvent[], now: readonly AuditedEvent[]): string[] {
  const lives = livesOf(now)
  return [...livesOf(before).values()]
    .filter(({ id, startedAt }) => startedAt !== null && lives.get(id)?.endedAt === null)
    .map(({ id }) => `action ${id} was started by an earlier process and has no end`)
}

/** Every incident was reported to each of its destinations, may have been, will be, or came too late to be. */
export function untoldIncidents(
  events: readonly AuditedEvent[],
  monitors: ReadonlyMap<string, CrashMonitor>,
): string[] {
  const reds = groupedReds(events)
  const closedAt = new Map<string | null, number>()
  for (const [place, event] of events.entries())
    if (event.type === 'incident_closed') closedAt.set(event.incident_id, place)
  const wrong: string[] = []
  for (const [place, event] of events.entries()) {
    if (event.type !== 'incident_opened') continue
    for (const endpoint of monitors.get(event.monitor_id!)!.redTo) {
      const ofDestination = reds.get(`${event.monitor_id} ${endpoint}`) ?? []
      const its = ofDestination.filter(({ incidentId }) => incidentId === event.incident_id)
      const closed = closedAt.get(event.incident_id) ?? events.length
      // While one red is in flight the next waits for it, and may be obsolete by then.
      const waited = ofDestination.some((red) => isInFlight(red, place) && endOf(red, events) >= closed)
      const isFollowed = isFollowedByRed(its.at(-1), ofDestination, events)
      const problem = its.length === 0 ? (waited ? null : 'has none') : redProblem(its, isFollowed)
      if (problem !== null) wrong.push(`the red of incident ${event.incident_id} to ${endpoint} ${problem}`)
    }
  }
  return wrong
}

/** isFollowed: nothing is tried again of an incident that is over when a red of the next one takes its place. */
function redProblem(reds: readonly ActionLife[], isFollowed: boolean): string | null {
  const cancelled = reds.find(({ states }) => states.at(-1) === 'cancelled')
  if (cancelled !== undefined && cancelled.outcome !== 'superseded') return `was ${cancelled.outcome}`
  const isGivenUp = reds.at(-1)?.states.at(-1) === 'failed' && !isFollowed
  return isGivenUp ? 'failed and was not tried again' : null
}

function isInFlight({ startedAt, endedAt }: ActionLife, place: number): boolean {
  return startedAt !== null && startedAt < place && (endedAt === null || endedAt > place)
}

/** The red of the monitor's next incident had waited for the end of this one. */
function isFollowedByRed(
  red: ActionLife | undefined,
  ofDestination: readonly ActionLife[],
  events: readonly AuditedEvent[],
): boolean {
  if (red === undefined || red.endedAt === null) return false
  const { endedAt, incidentId } = red
  return ofDestination.some(
    (next) =>
      next.incidentId !== incidentId &&
      next.queuedAt !== null &&
      next.queuedAt > endedAt &&
      events[next.queuedAt]?.at === events[endedAt]?.at,
  )
}

function endOf({ endedAt }: ActionLife, events: readonly AuditedEvent[]): number {
  return endedAt ?? events.length
}

function groupedReds(events: readonly AuditedEvent[]): Map<string, ActionLife[]> {
  const reds = [...livesOf(events).values()].filter(({ color }) => color === 'red')
  return Map.groupBy(reds, ({ monitorId, endpoint }) => `${monitorId} ${endpoint}`)
}

function livesOf(events: readonly AuditedEvent[]): Map<string, ActionLife> {
  const lives = new Map<string, ActionLife>()
  for (const [place, event] of events.entries()) {
    const id = event.action_id
    // A digest also has a separate event, besides those of its action.
    if (id === null || !event.type.startsWith('action_')) continue
    const life = lives.get(id) ?? newLife(id, event)
    lives.set(id, life)
    const state = event.type.slice('action_'.length)
    life.states.push(state)
    if (state === 'queued') life.queuedAt = place
    else if (state === 'started') life.startedAt = place
    else life.endedAt = place
    life.outcome = event.outcome
  }
  return lives
}

function newLife(id: string, event: AuditedEvent): ActionLife {
  const { monitor_id, color, endpoint, incident_id } = event
  return {
    id,
    monitorId: monitor_id!,
    color,
    endpoint,
    incidentId: incident_id,
    states: [],
    outcome: null,
    queuedAt: null,
    startedAt: null,
    endedAt: null,
  }
}
