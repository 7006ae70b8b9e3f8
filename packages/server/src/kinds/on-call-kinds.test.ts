// People, schedules and policies as resources: what is refused, and that files and v2 say the same with them.
import type { v2 } from '@pulseward/contract'
import { loadFleetFiles } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../config/driver-shapes.ts'
import { headOf } from '../fleet/fleet-change.ts'
import { monitorSpec } from './file-monitor.ts'
import { takenOver } from './file-resources.ts'
import { entriesOf } from './head-part.ts'
import type { ManagedKind } from './kind.ts'
import { kindOf } from './kind-table.ts'
import { ResourceValidator } from './validate-resource.ts'

const validator = new ResourceValidator(driverShapes)
const there: Partial<Record<ManagedKind, readonly string[]>> = {
  NotificationEndpoint: ['chat'],
  Person: ['ana', 'bo'],
  Schedule: ['primary'],
}

function mistakesIn(kind: ManagedKind, spec: object): string[] {
  const around = {
    drivers: driverShapes,
    allowsLocalDrivers: false,
    allowsJobTypes: false,
    jobType: () => null,
    has: (of: ManagedKind, id: string) => there[of]?.includes(id) ?? false,
    someIds: (of: ManagedKind) => there[of] ?? [],
    credentialValue: () => null,
    monitorWithKey: () => null,
    pageAtHost: () => null,
    componentsOf: () => null,
    parentsOf: () => [],
  }
  const errors = validator.errors(kind, { metadata: { id: 'a' }, spec }, around, true)
  return errors.map(({ field, message }) => `${field} ${message}`)
}

const layers = [{ personRefs: ['ana'], start: '2026-03-02T09:00' }]
const overrides = [
  { from: '2026-12-24T09:00', to: '2026-12-27T09:00', personRef: 'ana' },
  { from: '2026-12-26T09:00', to: '2026-12-28T09:00', personRef: 'bo' },
]
const step = (...notify: v2.PolicyRecipient[]) => ({ steps: [{ notify }] })
const check = { driver: { type: 'http', config: { url: 'http://shop/' } }, interval: '1m', timeout: '5s' }

describe('people, schedules and policies', () => {
  it.each<[ManagedKind, object, ...string[]]>([
    [
      'Person',
      { timezone: 'Europe/Berlim', endpointRefs: ['chta'] },
      '/spec/timezone "Europe/Berlim" is not a time zone; write one such as Europe/Berlin',
      '/spec/endpointRefs/0 there is no endpoint "chta". Did you mean "chat"?',
    ],
    [
      'Schedule',
      { layers: [{ personRefs: ['nobody'], start: '2026-02-30T09:00' }] },
      '/spec/layers/0/start "2026-02-30T09:00" is not a date and a time of day',
      '/spec/layers/0/personRefs/0 there is no person "nobody"',
    ],
    ['Schedule', { timezone: 'Mars/Olympus', layers }, '/spec/timezone "Mars/Olympus" is not a time zone'],
    [
      'Schedule',
      { layers, overrides },
      '/spec/overrides/1/from "2026-12-26T09:00" is before the end of overrides[0], 2026-12-27T09:00',
    ],
    [
      'Schedule',
      { layers, overrides: [{ ...overrides[0], to: '2026-12-24T09:00', personRef: 'cy' }] },
      '/spec/overrides/0/to "2026-12-24T09:00" is not after its beginning',
      '/spec/overrides/0/personRef there is no person "cy"',
    ],
    [
      'Policy',
      step({ scheduleRef: 'primry' }),
      '/spec/steps/0/notify/0/scheduleRef there is no schedule "primry". Did you mean "primary"?',
    ],
    [
      'Policy',
      step({}, { personRef: 'ana', groupRef: 'leads' }),
      '/spec/steps/0/notify/0 names no recipient; name a schedule, a person, a group or an endpoint',
      '/spec/steps/0/notify/1 names more than one recipient',
      '/spec/steps/0/notify/1/groupRef there is no group "leads"',
    ],
    [
      'Policy',
      step({ endpointRef: 'chat', allEndpoints: true }),
      '/spec/steps/0/notify/0/allEndpoints applies to a schedule or a person',
    ],
    [
      'Policy',
      {
        ...step({ personRef: 'ana' }),
        quiet: { hours: '22:00-07:00', zone: 'Mars' },
        lastResort: { groupRefs: ['x'] },
      },
      '/spec/quiet/zone "Mars" is not a time zone',
      '/spec/lastResort/groupRefs/0 there is no group "x"',
    ],
    ['Monitor', { check, policyRef: 'page' }, '/spec/policyRef there is no policy "page"'],
    ['Route', { match: {} }, '/spec does nothing; name a policy, or colors with endpoints or groups'],
    ['Route', { match: {}, endpointRefs: ['chat'] }, '/spec/colors is missing'],
    ['Route', { match: {}, policyRef: 'page' }, '/spec/policyRef there is no policy "page"'],
    [
      'Route',
      { match: {}, colors: ['red'], endpointRefs: ['chat'], order: 1 },
      '/spec/order is the order of routes that name a policy, and this one names none',
    ],
    // Until it starts, no person is on call by it.
    ['Schedule', { layers: [{ personRefs: ['ana'], start: '2036-03-02T09:00' }] }],
    ['Policy', step({ scheduleRef: 'primary', allEndpoints: true }, { endpointRef: 'chat' })],
  ])('are judged: %s %j', (kind, spec, ...sentences) => {
    expect(mistakesIn(kind, spec)).toEqual(sentences.map((sentence) => expect.stringContaining(sentence)))
  })
})

describe('files and v2', () => {
  const fleet = `
endpoints: { chat: { type: log }, push: { type: log } }
groups: { leads: [chat] }
people:
  ana: { name: Ana Berg, timezone: Europe/Berlin, endpoints: [push, chat] }
  bo: { endpoints: [chat] }
schedules:
  primary:
    timezone: Europe/Berlin
    layers:
      - { people: [ana, bo], every: 12h, start: "2026-03-02T09:00" }
      - { people: [bo], every: 2d, start: "2026-03-02T00:00", hours: [{ days: [sat, sun], from: "22:00", to: "24:00" }] }
    overrides: [{ from: "2026-12-24T09:00", to: "2026-12-27T09:00", person: bo }]
    handoff: true
  plain: { layers: [{ people: [bo], start: "2026-03-02T00:00" }] }
policies:
  page:
    steps:
      - { notify: [{ schedule: primary, all_endpoints: true }, { person: bo }], wait: 90s }
      - { notify: [{ group: leads }, { endpoint: push }] }
    repeat: 2
    quiet: { hours: "22:00-07:00", zone: Europe/Rome, severities: [info], then: drop }
    ack_timeout: 4h
    escalate_owned: true
    last_resort: { groups: [leads] }
  plain: { steps: [{ notify: [{ person: ana }] }], quiet: { hours: "22:00-24:00" } }
defaults: { policy: plain, notify: { red: { endpoints: [chat] } } }
routes:
  - { id: z, match: { team: a }, policy: page }
  - { id: b, match: {}, colors: [red], groups: [leads], policy: plain }
`

  it('mean the same by them', async () => {
    const { definition } = await loadFleetFiles(fleet)
    const head = headOf(definition)
    for (const { resource } of takenOver(head)) {
      const part = kindOf(resource.kind).head!
      const again = part.toFleet(resource.spec, resource, driverShapes)
      expect([resource.id, again]).toEqual([resource.id, entriesOf(head, part.name).get(resource.id)])
    }
  })

  it('keep the default policy with the monitors that no route gives one', async () => {
    const check = '{ type: tcp, config: { host: a, port: 1 } }'
    const { definition } = await loadFleetFiles(
      `${fleet.replace('match: {}, ', 'match: { team: b }, ')}
monitors:
  - { id: routed, name: R, labels: { team: a }, check: ${check} }
  - { id: defaulted, name: D, severity: info, check: ${check} }`,
    )
    expect([0, 1].map((row) => monitorSpec(definition, row, {}).policyRef)).toEqual([undefined, 'plain'])
    expect(monitorSpec(definition, 1, {}).severity).toBe('info')
  })
})
