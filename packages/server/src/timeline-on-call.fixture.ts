// Timelines of escalation policies have this fleet in common: ana is on call by the schedule primary, and the policy page tells
// whoever is, and five minutes later the group leads. The clock begins at midnight UTC on Thursday, 1 January 2026.
import { http, TestService } from '@pulseward/testing/engine'
import { expect } from 'vitest'
import type { FleetHead, MonitorDocument } from './config/fleet-file/schema.ts'
import type { Control } from './deciding/control.ts'

const check = { interval: '5s', timeout: '2s', unhealthy_threshold: 1, healthy_threshold: 1 }
export const monitor = (id: string, parts: Partial<MonitorDocument> = {}): MonitorDocument => {
  const plain = http(id)
  return { ...plain, policy: 'page', ...parts, check: { ...plain.check, ...check } }
}
export const names = ['ana-push', 'ana-phone', 'bo-push', 'lead-1', 'lead-2', 'chat']
export const always = { people: ['ana'], start: '2025-01-06T00:00' }
export const steps = [
  { notify: [{ schedule: 'primary' }], wait: '5m' },
  { notify: [{ group: 'leads' }], wait: '5m' },
]

export type Policy = NonNullable<FleetHead['policies']>[string]

export function head(policy: Partial<Policy> = {}, parts: Partial<FleetHead> = {}): FleetHead {
  return {
    endpoints: Object.fromEntries(names.map((name) => [name, { type: 'log', config: {} }])),
    groups: { leads: ['lead-1', 'lead-2'] },
    people: { ana: { endpoints: ['ana-push', 'ana-phone'] }, bo: { endpoints: ['bo-push'] } },
    schedules: { primary: { layers: [always] } },
    policies: { page: { steps, ...policy } },
    defaults: { notify: { red: { endpoints: ['chat'] } } },
    ...parts,
  }
}

export async function started(
  fleetHead = head(),
  monitors = [monitor('edge', { notify: {} })],
): Promise<TestService> {
  const service = await TestService.start({ monitors, head: fleetHead, stepMs: 100 })
  await service.advance({ seconds: 6 })
  return service
}

export async function failing(...fleet: Parameters<typeof started>): Promise<TestService> {
  const service = await started(...fleet)
  for (const { id = '' } of fleet[1] ?? [{ id: 'edge' }]) service.target(id).goesDown('HTTP 503')
  await service.advance({ seconds: 6 })
  return service
}

/** What policies sent, with the time since the first page: such as "300s lead-1: step". */
export function paged({ providers: { deliveries } }: TestService): string[] {
  const ofPages = deliveries.filter(({ notification }) => notification.page !== undefined)
  const first = ofPages[0]?.atMs ?? 0
  return ofPages.map(
    ({ endpoint, notification, atMs }) =>
      `${Math.round((atMs - first) / 1000)}s ${endpoint}: ${notification.page!.stage}`,
  )
}

const asked = { actor: 'ana', reason: 'on it', note: null }
export const incidentOf = (service: TestService, id: string) =>
  service.engine.reading.healthOf(service.rowOf(id)).episode?.incident ?? null

export async function control(
  service: TestService,
  verb: 'acknowledge' | 'dismiss' | 'reopen' | 'snooze' | 'unsnooze',
  id = 'edge',
): Promise<void> {
  await service.engine.request('told', (turn) => {
    const incident = incidentOf(service, id)
    const { control: ofMonitor } = service.engine.reading.healthOf(service.rowOf(id))
    const isOfMonitor = verb === 'snooze' || verb === 'unsnooze'
    const revision = (isOfMonitor ? ofMonitor?.revision : incident?.handling?.revision) ?? 1
    const common = { monitorId: id, revision, asked }
    const untilWallMs = service.clock.wallMs() + 3_600_000
    const one: Control =
      verb === 'snooze'
        ? { ...common, verb, untilWallMs }
        : verb === 'unsnooze'
          ? { ...common, verb }
          : { ...common, verb, incidentId: incident!.id }
    expect(service.engine.applyControl(turn, one)).toMatchObject({ done: true })
  })
  await service.advance({ seconds: 1 })
}

export const phases = async (service: TestService) =>
  (await service.events())
    .filter(({ type }) => type === 'escalation')
    .map(({ detail }) => (detail as { phase: string }).phase)
