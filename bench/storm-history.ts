// bench/storm-history.ts: reads the whole history of a storm back and counts incidents and actions by their outcome.
import { minuteMs, mostWithin } from './most-within.ts'
import { isRecoverable } from './storm-fleet.ts'

interface Event {
  readonly monitor_id: string | null
  readonly type: string
  readonly action_id: string | null
  readonly color: string | null
  readonly kind: string | null
  readonly endpoint: string | null
  readonly incident_id: string | null
  readonly reason: string | null
  readonly at: string
}

const secondMs = 1_000
/** Timestamps have milliseconds, but rates are kept with fractions of them. */
const roundingMs = 1

export interface StormHistory {
  readonly events: number
  /** Plain monitors whose incident opened and closed once, in this order. */
  readonly openedAndClosed: number
  readonly opened: number
  readonly closed: number
  /** By `kind color state`, with the last state of each action. */
  /** Incidents that belong to a page. */
  readonly paged: number
  readonly actions: Readonly<Record<string, number>>
  readonly interventionsStarted: number
  readonly mostInterventionsInAMinute: number
  /** Of deliveries to the destination that accepts one per second. */
  readonly mostToChannelInASecond: number
}

export async function readStormHistory(url: string): Promise<StormHistory> {
  const incidents = new Map<string, string>()
  const actions = new Map<string, string>()
  const count = { events: 0, opened: 0, closed: 0 }
  const paged = new Set<string>()
  const interventions: number[] = []
  const toChannel: number[] = []
  for await (const event of eventsOf(url)) {
    const { monitor_id: monitor, type, action_id: action } = event
    count.events++
    if (type === 'incident_opened') count.opened++
    if (type === 'incident_closed') count.closed++
    if (type === 'escalation' && event.incident_id !== null) paged.add(event.incident_id)
    if (type === 'action_started' && event.kind === 'intervention') interventions.push(Date.parse(event.at))
    if (type === 'action_started' && event.endpoint === 'channel') toChannel.push(Date.parse(event.at))
    if (type.startsWith('incident_')) incidents.set(monitor!, `${incidents.get(monitor!) ?? ''} ${type}`)
    if (action !== null) actions.set(action, nameOf(event))
  }
  const openedAndClosed = incidents
    .entries()
    .filter(([monitor, story]) => !isRecoverable(monitor) && story === ' incident_opened incident_closed')
    .reduce((sum) => sum + 1, 0)
  return {
    ...count,
    openedAndClosed,
    paged: paged.size,
    actions: tally(actions.values()),
    interventionsStarted: interventions.length,
    mostInterventionsInAMinute: mostWithin(interventions, minuteMs - roundingMs),
    mostToChannelInASecond: mostWithin(toChannel, secondMs - roundingMs),
  }
}

export async function* eventsOf(url: string): AsyncIterable<Event> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await fetch(`${url}/api/v1/history?limit=500${from}`)
    if (!answer.ok) throw new Error(`the history answered ${answer.status}`)
    const page = (await answer.json()) as { events: Event[]; next_cursor: string | null }
    yield* page.events
    cursor = page.next_cursor
  }
}

function nameOf({ kind, color, type }: Event): string {
  return [kind, color, type.slice('action_'.length)].filter((part) => part !== null).join(' ')
}

function tally(names: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
