// demo/past-events.ts: what the history tells of an outage of the made-up month: the incident, who was told, who looked.
import { emptyEvent, type StoredEvent } from '@pulseward/server'
import { choose, draw } from './draws.ts'
import type { DemoMonitor } from './fleet.ts'
import type { World } from './life.ts'
import type { Outage } from './past-outages.ts'

const reasons = [
  'status 500, expected 200-299',
  'status 503, expected 200-299',
  'no reply within 2 s',
] as const
const people = ['mara', 'jonas', 'ines'] as const
const purpose = { reason: -140, person: -141 }

export function eventsOf(
  { seed }: World,
  { fromMs, toMs }: Outage,
  { id, check, recovery, labels = {} }: DemoMonitor,
  numericId: number,
): StoredEvent[] {
  const incident = `made-up-${numericId}-${fromMs}`
  const event = (type: string, at: number, parts: Partial<StoredEvent> = {}): StoredEvent => ({
    ...emptyEvent,
    monitorId: id,
    numericId,
    at,
    type,
    revision: 1,
    incidentId: incident,
    ...parts,
  })
  const action = (name: string, at: number, parts: Partial<StoredEvent>, ended: Partial<StoredEvent>) => {
    const all = { ...parts, actionId: `${incident}-${name}` }
    return [
      event('action_queued', at, all),
      event('action_started', at + 40, all),
      event(ended.outcome === 'accepted' ? 'action_succeeded' : 'action_failed', at + 220, {
        ...all,
        ...ended,
      }),
    ]
  }
  const told = (endpoint: string, color: string, at: number) =>
    action(`${endpoint}-${color}`, at, { kind: 'code', color, endpoint }, { outcome: 'accepted' })
  const openedMs = fromMs + 30_000
  const reason =
    check.type === 'http' ? choose(reasons, draw(seed, numericId, purpose.reason)) : 'connection refused'
  const endpoints = labels['tier'] === '1' ? ['team-chat', 'on-call-pager'] : ['team-chat']
  const restarted = { outcome: 'rejected', detail: { reason: 'the endpoint answered 500' } }
  return [
    ...(recovery === undefined
      ? []
      : action('restart', fromMs + 15_000, { kind: 'intervention' }, restarted)),
    event('incident_opened', openedMs, { detail: { reason } }),
    ...endpoints.flatMap((endpoint) => told(endpoint, 'red', openedMs)),
    event('control_acknowledged', Math.min(openedMs + 150_000, toMs - 1_000), {
      actor: choose(people, draw(seed, numericId, purpose.person)),
      detail: { reason: 'looking into it' },
    }),
    event('incident_closed', toMs, { outcome: 'recovered' }),
    ...endpoints.flatMap((endpoint) => told(endpoint, 'green', toMs)),
  ].sort((one, other) => one.at - other.at)
}
