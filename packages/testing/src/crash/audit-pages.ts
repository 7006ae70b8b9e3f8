// crash/audit-pages.ts: checks what must hold of the pages of policies, however often the service was killed: every incident
// has its page, every step that was decided is sent, and no message goes to an endpoint twice. Pure.
import type { NextHistoryEvent } from '@pulseward/contract'
import type { CrashMonitor } from './crash-fleet.ts'
import type { Receipt } from './crash-receivers.ts'

/** An endpoint gets a message of a page again only if it has refused it. */
export function repeatedPages(receipts: readonly Receipt[]): string[] {
  const taken = new Map<string, string>()
  return receipts.flatMap(({ actionId, endpoint, isRefused, page }) => {
    if (page === null) return []
    const isOfStep = page.stage === 'step' || page.stage === 'nobody'
    const message = `${page.stage} ${isOfStep ? page.key : ''} of the page ${page.id} to ${endpoint}`
    const before = taken.get(message)
    if (!isRefused) taken.set(message, actionId)
    return before === undefined ? [] : [`${message} arrived twice, as ${before} and ${actionId}`]
  })
}

/** The page of an incident is committed with its opening. */
export function unpagedIncidents(
  events: readonly NextHistoryEvent[],
  monitors: ReadonlyMap<string, CrashMonitor>,
): string[] {
  const paged = new Set(events.flatMap(({ type, incident_id: id }) => (type === 'escalation' ? id : [])))
  return events.flatMap(({ type, monitor_id: monitorId, incident_id: id }) => {
    const policy = monitors.get(monitorId ?? '')?.policy ?? null
    const isLost = type === 'incident_opened' && policy !== null && !paged.has(id)
    return isLost ? [`the incident ${id} of ${monitorId} has no page of ${policy}`] : []
  })
}

/** Whoever a step tells has an action from the same commit on. */
export function unsentSteps(events: readonly NextHistoryEvent[]): string[] {
  const queued = new Map<string, number>()
  for (const { type, incident_id: id, because } of events) {
    const place = type === 'action_queued' ? placeOf(id, because) : null
    if (place !== null) queued.set(place, (queued.get(place) ?? 0) + 1)
  }
  return events.flatMap(({ id, type, incident_id: incidentId, because, reason }) => {
    if (type !== 'escalation' || !reason?.startsWith(toldWords)) return []
    const place = placeOf(incidentId, because)
    const people = reason.slice(toldWords.length).split(', ').length
    const sent = place === null ? 0 : (queued.get(place) ?? 0)
    return sent >= people ? [] : [`event ${id} ${reason}, and ${sent} of ${people} are sent (${place})`]
  })
}

/** When everything has come to rest, nothing of a page is left over. */
export function unendedPages(events: readonly NextHistoryEvent[]): string[] {
  const open = new Map<string, string>()
  for (const { type, action_id: id, monitor_id: monitorId, endpoint } of events) {
    if (id === null || monitorId !== null || !type.startsWith('action_')) continue
    if (type === 'action_queued' || type === 'action_started') open.set(id, endpoint ?? '')
    else open.delete(id)
  }
  return [...open].map(([id, endpoint]) => `the action ${id} of a page to ${endpoint} never ends`)
}

/** How the log says whom a step tells, before their names. */
const toldWords = 'tells '

/** Which step of the page of an incident it is about; null if it is about none. */
function placeOf(incidentId: string | null, because: NextHistoryEvent['because']): string | null {
  if (because?.kind !== 'policy_step') return null
  return `${incidentId} ${because.policy} ${because.round} ${because.step}`
}
