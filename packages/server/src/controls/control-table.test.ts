// Every control in every state of its subject, over HTTP: what it answers, and what people are told in the minute after
// it.
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { type ServedNext, serveNext } from '@pulseward/testing/editions'
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import { rejected, unknown } from '../platform/action-outcome.ts'

const colors = ['red', 'yellow', 'green', 'cyan', 'gray']
const notify = Object.fromEntries(colors.map((color) => [color, { endpoints: ['ops'] }]))
const recovery = { type: 'webhook', settle: '1m', config: { url: 'http://runbooks.test/restart' } }
const edge = { ...http('edge'), recovery, notify: { ...notify, repeat: '30s' } }
const fleetOf = (monitor: object) => ({ monitors: [{ ...edge, ...monitor }], head: endpoints('ops') })

const controls = [
  'AcknowledgeIncident',
  'DismissIncident',
  'ReopenIncident',
  'SnoozeMonitor',
  'UnsnoozeMonitor',
  'RecoverMonitor',
  'ReviewAction',
] as const
type ControlName = (typeof controls)[number]

/** What a control says besides the revision. */
const saying: Readonly<Record<ControlName, object>> = {
  AcknowledgeIncident: { note: 'looking into it' },
  DismissIncident: { reason: 'known' },
  ReopenIncident: {},
  SnoozeMonitor: { reason: 'planned work', duration: '30s' },
  UnsnoozeMonitor: {},
  RecoverMonitor: { reason: 'the runbook was repaired' },
  ReviewAction: { reason: 'seen in its log', resolution: 'accepted' },
}

interface World {
  readonly service: TestService
  readonly next: ServedNext
}

async function until(service: TestService, status: string): Promise<void> {
  for (let seconds = 0; service.statusOf('edge') !== status; seconds++) {
    if (seconds > 120) throw new Error(`it did not become ${status}, it is ${service.statusOf('edge')}`)
    await service.advance({ seconds: 1 })
  }
}

async function incident(service: TestService): Promise<void> {
  service.providers.recoveryOutcomeOf = () => rejected('no')
  service.target('edge').goesDown('HTTP 503')
  await until(service, 'incident')
  await service.advance({ seconds: 1 })
}

const states = {
  healthy: async () => {},
  async down({ service }) {
    service.target('edge').goesDown('HTTP 503')
    await until(service, 'down')
  },
  async verifying({ service }) {
    service.target('edge').goesDown('HTTP 503')
    await until(service, 'verifying')
  },
  incident: ({ service }) => incident(service),
  async acknowledged(world) {
    await incident(world.service)
    await carryOut(world, 'AcknowledgeIncident')
  },
  async dismissed(world) {
    await incident(world.service)
    await carryOut(world, 'DismissIncident')
  },
  async snoozed(world) {
    await incident(world.service)
    await carryOut(world, 'SnoozeMonitor')
  },
  async disabled({ service }) {
    await incident(service)
    await service.reload(fleetOf({ enabled: false }))
  },
  async maintenance({ service }) {
    await incident(service)
    const maintenance = [{ start: '2025-12-31T00:00:00Z', end: '2026-02-01T00:00:00Z' }]
    await service.reload(fleetOf({ maintenance }))
    await service.advance({ seconds: 1 })
  },
  async held({ service }) {
    service.providers.recoveryOutcomeOf = () => unknown('no answer')
    service.target('edge').goesDown('HTTP 503')
    await until(service, 'incident')
    await service.advance({ seconds: 1 })
  },
  async closed({ service }) {
    await incident(service)
    service.target('edge').comesBack()
    await until(service, 'up')
    await service.advance({ seconds: 25 })
  },
} satisfies Record<string, (world: World) => Promise<void>>

/** The subject of a control, and the revision that it has now. */
async function subjectOf({ next }: World, name: ControlName): Promise<{ id: string; revision: string }> {
  if (name.endsWith('Monitor')) {
    const { status } = await expectV2Answer('GetMonitor', await next.call('GetMonitor', { id: 'edge' }))
    return { id: 'edge', revision: status?.controlRevision ?? '' }
  }
  if (name === 'ReviewAction') {
    const { items } = await expectV2Answer('ListActions', await next.call('ListActions'))
    const action = items.find(({ state }) => state === 'unknown') ?? items[0]
    return { id: action?.id ?? 'nobody', revision: action?.reviewRevision ?? '1' }
  }
  const { items } = await expectV2Answer('ListIncidents', await next.call('ListIncidents'))
  return { id: items[0]?.id ?? 'nobody', revision: items[0]?.revision ?? '1' }
}

/** Its status and code; an answer that the contract does not know fails. */
async function carryOut(world: World, name: ControlName): Promise<string> {
  const { id, revision } = await subjectOf(world, name)
  const headers = { 'if-match': `"${revision}"` }
  const response = await world.next.call(name, { id, headers, body: { revision, ...saying[name] } })
  if (!response.ok) {
    const { code } = (await response.clone().json()) as { code: Parameters<typeof expectV2Problem>[2] }
    await expectV2Problem(name, response, code)
    return `${response.status} ${code}`
  }
  await expectV2Answer(name, response)
  return String(response.status)
}

async function outcomeOf(state: keyof typeof states, name: ControlName): Promise<string> {
  const service = await TestService.start({ ...fleetOf({}), settings: { alert_cooldown: 1_000 } })
  await service.advance({ seconds: 25 })
  await using next = await serveNext(service)
  const world = { service, next }
  await states[state](world)
  const told = service.told.length
  const recoveries = service.providers.recoveries.length
  const answer = await carryOut(world, name)
  await service.advance({ seconds: 75 })
  const whileDown = service.told.length
  service.target('edge').comesBack()
  await service.advance({ seconds: 85 })
  const colorsOf = (from: number, to?: number) =>
    service.providers.deliveries.slice(from, to).map(({ notification }) => notification.color)
  const recovered = service.providers.recoveries.length > recoveries ? ['recovery'] : []
  return [answer, ...recovered, ...colorsOf(told, whileDown), '|', ...colorsOf(whileDown)].join(' ')
}

/**
 * By state, for each control: the answer, `recovery` if one was carried out, what was sent while the target went on
 * failing (or not) for more than a minute, and after the bar what was sent when it was well again. Red is repeated every
 * 30 s; a snooze lasts 30 s.
 */
const table: Readonly<Record<keyof typeof states, readonly string[]>> = {
  healthy: [
    '404 notFound |',
    '404 notFound |',
    '404 notFound |',
    '200 |',
    '409 monitorNotSnoozed |',
    '409 recoveryIneligible |',
    '404 notFound |',
  ],
  down: [
    '404 notFound recovery cyan | green',
    '404 notFound recovery cyan | green',
    '404 notFound recovery cyan | green',
    '200 recovery cyan | green',
    '409 monitorNotSnoozed recovery cyan | green',
    '200 recovery cyan red | green',
    '409 actionNotUnknown recovery cyan | green',
  ],
  verifying: [
    '404 notFound red | green',
    '404 notFound red | green',
    '404 notFound red | green',
    '200 red | green',
    '409 monitorNotSnoozed red | green',
    '409 recoveryIneligible red | green',
    '409 actionNotUnknown red | green',
  ],
  incident: [
    '200 | green',
    '200 |',
    '409 incidentNotActive red red | green',
    '200 red | green',
    '409 monitorNotSnoozed red red | green',
    '200 recovery red red | green',
    '409 actionNotUnknown red red | green',
  ],
  acknowledged: [
    '200 | green',
    '200 |',
    '409 incidentNotActive | green',
    '200 red | green',
    '409 monitorNotSnoozed | green',
    '200 recovery | green',
    '409 actionNotUnknown | green',
  ],
  dismissed: [
    '200 |',
    '409 incidentNotActive |',
    '200 red red | green',
    '200 |',
    '409 monitorNotSnoozed |',
    '200 recovery |',
    '409 actionNotUnknown |',
  ],
  snoozed: [
    '200 red | green',
    '200 |',
    '409 incidentNotActive red | green',
    '200 red | green',
    '200 red red | green',
    '409 recoveryIneligible red | green',
    '409 actionNotUnknown red | green',
  ],
  disabled: [
    '409 incidentNotActive |',
    '409 incidentNotActive |',
    '409 incidentNotActive |',
    '200 |',
    '409 monitorNotSnoozed |',
    '409 recoveryIneligible |',
    '409 actionNotUnknown |',
  ],
  maintenance: [
    '200 |',
    '200 |',
    '409 incidentNotActive |',
    '200 |',
    '409 monitorNotSnoozed |',
    '409 recoveryIneligible |',
    '409 actionNotUnknown |',
  ],
  held: [
    '200 | green',
    '200 |',
    '409 incidentNotActive red red | green',
    '200 red | green',
    '409 monitorNotSnoozed red red | green',
    '409 recoveryIneligible red red | green',
    '200 red red | green',
  ],
  closed: [
    '409 incidentNotActive |',
    '409 incidentNotActive |',
    '409 incidentNotActive |',
    '200 |',
    '409 monitorNotSnoozed |',
    '409 recoveryIneligible |',
    '409 actionNotUnknown |',
  ],
}

type Row = [keyof typeof states, readonly string[]]
const rows = Object.entries(table) as Row[]
/** The one that most controls are about; `npm run test:long` looks at the others. */
const isCommon = ([state]: Row) => state === 'incident'

async function expectRow(...[state, expected]: Row): Promise<void> {
  const found: string[] = []
  for (const name of controls) found.push(await outcomeOf(state, name))
  expect(found).toEqual(expected)
}

describe('controls', () => {
  it.each(rows.filter(isCommon))('of a subject that is %s', expectRow)
  it.each(rows.filter((row) => !isCommon(row)))('of a subject that is %s', { tags: 'long' }, expectRow)
})
