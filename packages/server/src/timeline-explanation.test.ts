// What happened, and what explain says of it: to monitors, to destinations that are asked about, to incidents and to messages
// of policies. The sentences are one transcript, read as a whole; times in it are left out.
import type { v2 } from '@pulseward/contract'
import { endpoints, http, push, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { FleetHead, MonitorDocument } from './config/fleet-file/schema.ts'
import { Explanations } from './explaining/explanations.ts'
import { type ActionOutcome, gone, rejected, retry, unknown } from './platform/action-outcome.ts'
import { OnCallViews } from './projection/v2/on-call-views.ts'
import { control, head as onCallHead, steps } from './timeline-on-call.fixture.ts'

type Rule = v2.ExplainedRule['rule']

const notify = { red: { endpoints: ['ops'] }, green: { endpoints: ['ops'] } }
/** Three failures open an incident, two healthy checks close it. */
const check = { interval: '10s', timeout: '5s' }
const edge: MonitorDocument = {
  ...http('edge'),
  name: 'Edge',
  notify,
  check: { ...http('edge').check, ...check },
}
const gateway: MonitorDocument = { ...http('gateway'), name: 'Edge gateway' }
const recovery = { type: 'webhook', settle: '1s', config: { url: 'http://runbooks.test/restart' } }
const window = { name: 'patching', start: '2026-01-01T00:00:10Z', end: '2026-01-01T00:20:00Z' }

interface Timeline {
  readonly edge?: Partial<MonitorDocument>
  readonly others?: readonly MonitorDocument[]
  readonly head?: FleetHead
  /** What happens, after the first checks. */
  readonly happens?: (service: TestService) => unknown
  /** What is asked: about the monitor, unless it is this destination, or the incident. */
  readonly endpoint?: string
  readonly incident?: true
  /** In steps of how much time passes. */
  readonly stepMs?: number
  /** The rules that decided it. */
  readonly decides: readonly Rule[]
}

const fails = (checks: number) => async (service: TestService) => {
  service.target('edge').goesDown('refused')
  await service.advance({ seconds: 10 * checks })
}
const heals = (checks: number) => async (service: TestService) => {
  service.target('edge').comesBack()
  await service.advance({ seconds: 10 * checks })
}
const answers = (outcome: ActionOutcome) => (service: TestService) => {
  service.providers.outcomeOf = () => outcome
}
const recoversWith = (outcome: ActionOutcome) => (service: TestService) => {
  service.providers.recoveryOutcomeOf = () => outcome
}
const gatewayIsDown = (service: TestService) => service.target('gateway').goesDown('refused')
const asked =
  (verb: Parameters<typeof control>[1]) =>
  (service: TestService): Promise<void> =>
    control(service, verb)
const waits = (seconds: number) => (service: TestService) => service.advance({ seconds })

const all =
  (...parts: ((service: TestService) => unknown)[]) =>
  async (service: TestService) => {
    for (const part of parts) await part(service)
  }

const needs = { edge: { depends_on: ['gateway'] }, others: [gateway] }
const toNight = { colors: ['red' as const], endpoints: ['night'] }
const toEu = { ...toNight, match: { region: 'eu' } }
const paging = { edge: { policy: 'page', notify: {} }, head: onCallHead() }
const quietHead = onCallHead({ steps, quiet: { hours: '23:00-01:00', severities: ['critical'] } })

const timelines: Readonly<Record<string, Timeline>> = {
  'is well': { decides: [] },
  'is well, and a destination is asked about': { endpoint: 'ops', decides: [] },
  'fails once': { happens: fails(1), decides: ['threshold'] },
  'fails once, and its destination is asked about': {
    happens: fails(1),
    endpoint: 'ops',
    decides: ['threshold'],
  },
  'fails twice and is well once': { happens: all(fails(2), heals(1)), decides: ['threshold'] },
  'fails three times': { happens: fails(3), decides: ['threshold', 'delivery'] },
  'fails three times, and its destination is asked about': {
    happens: fails(3),
    endpoint: 'ops',
    decides: ['threshold', 'delivery'],
  },
  'fails, and a destination that nothing names is asked about': {
    happens: fails(3),
    endpoint: 'night',
    decides: ['threshold', 'routes'],
  },
  'fails, and a route to that destination needs a label that it does not have': {
    head: { routes: [toEu] },
    happens: fails(3),
    endpoint: 'night',
    decides: ['threshold', 'routes'],
  },
  'fails, and a route to that destination needs another value of its label': {
    edge: { labels: { region: 'us' } },
    head: { routes: [toEu] },
    happens: fails(3),
    endpoint: 'night',
    decides: ['threshold', 'routes'],
  },
  'fails, and a route to that destination needs a tag': {
    head: { routes: [{ ...toEu, match: { tag: 'payments' } }] },
    happens: fails(3),
    endpoint: 'night',
    decides: ['threshold', 'routes'],
  },
  'fails, and a route sends only its green there': {
    edge: { labels: { region: 'eu' } },
    head: { routes: [{ match: { region: 'eu' }, colors: ['green'], endpoints: ['night'] }] },
    happens: fails(3),
    endpoint: 'night',
    decides: ['threshold', 'routes'],
  },
  'fails, and a route sends its red there': {
    edge: { labels: { region: 'eu' } },
    head: { routes: [toEu] },
    happens: fails(3),
    endpoint: 'night',
    decides: ['threshold', 'delivery'],
  },
  'fails, and a group contains the destination': {
    edge: { notify: { red: { groups: ['people'] } } },
    head: { groups: { people: ['night'] } },
    happens: fails(3),
    endpoint: 'night',
    decides: ['threshold', 'delivery'],
  },
  'fails, and tells nobody': { edge: { notify: {} }, happens: fails(3), decides: ['threshold', 'routes'] },
  warns: {
    happens: async (service) => {
      service.target('edge').warns('the certificate expires in 3 days')
      await service.advance({ seconds: 10 })
    },
    decides: ['threshold'],
  },
  'fails below what it depends on': {
    ...needs,
    happens: all(gatewayIsDown, fails(4)),
    decides: ['dependency'],
  },
  'fails below what it depends on, and its destination is asked about': {
    ...needs,
    happens: all(gatewayIsDown, fails(4)),
    endpoint: 'ops',
    decides: ['dependency'],
  },
  'fails while what it depends on is well': {
    ...needs,
    happens: fails(4),
    decides: ['threshold', 'delivery'],
  },
  'is well while what it depends on is not': {
    ...needs,
    happens: all(gatewayIsDown, waits(40)),
    decides: [],
  },
  'is in maintenance, and well': { edge: { maintenance: [window] }, happens: waits(10), decides: [] },
  'fails in maintenance': { edge: { maintenance: [window] }, happens: fails(4), decides: ['maintenance'] },
  'fails in maintenance, and its destination is asked about': {
    edge: { maintenance: [window] },
    happens: fails(4),
    endpoint: 'ops',
    decides: ['maintenance'],
  },
  'fails before maintenance': {
    edge: { maintenance: [{ ...window, start: '2026-01-01T00:10:00Z' }] },
    happens: fails(1),
    decides: ['threshold'],
  },
  'is disabled': { edge: { enabled: false }, decides: ['enabled'] },
  'is disabled, and its destination is asked about': {
    edge: { enabled: false },
    endpoint: 'ops',
    decides: ['enabled'],
  },
  'is snoozed': { happens: asked('snooze'), decides: ['snooze'] },
  'fails and is snoozed': {
    happens: all(fails(3), asked('snooze')),
    decides: ['snooze', 'threshold', 'delivery'],
  },
  'fails and is no longer snoozed': {
    happens: all(asked('snooze'), asked('unsnooze'), fails(1)),
    decides: ['threshold'],
  },
  'fails and is acknowledged': {
    happens: all(fails(3), asked('acknowledge')),
    decides: ['threshold', 'acknowledgement', 'delivery'],
  },
  'fails and is dismissed': {
    happens: all(fails(3), asked('dismiss')),
    decides: ['threshold', 'acknowledgement', 'delivery'],
  },
  'fails, and red is repeated': {
    edge: { notify: { ...notify, repeat: '30m' } },
    happens: fails(3),
    decides: ['threshold', 'delivery'],
  },
  'fails, and its red is refused': {
    happens: all(answers(rejected('HTTP 400')), fails(3)),
    decides: ['threshold', 'delivery'],
  },
  'fails, and its red is refused, and its destination is asked about': {
    happens: all(answers(rejected('HTTP 400')), fails(3)),
    endpoint: 'ops',
    decides: ['threshold', 'delivery'],
  },
  'fails, and its red is not taken for now': {
    happens: all(answers(retry('HTTP 503', 60_000)), fails(3), waits(1)),
    endpoint: 'ops',
    decides: ['threshold', 'pacing', 'destination', 'delivery'],
  },
  'fails, and its destination is gone': {
    happens: all(answers(gone('HTTP 410')), fails(3), waits(1)),
    endpoint: 'ops',
    decides: ['threshold', 'destination', 'delivery'],
  },
  'fails, and the answer to its red is lost': {
    happens: all(answers(unknown('no answer in time')), fails(3), waits(1)),
    endpoint: 'ops',
    decides: ['threshold', 'delivery'],
  },
  'fails again within the cooldown': {
    happens: all(fails(3), heals(2), fails(3)),
    endpoint: 'ops',
    decides: ['threshold', 'cooldown', 'delivery'],
  },
  'fails, and its recovery does not help': {
    edge: { recovery },
    happens: fails(6),
    decides: ['threshold', 'delivery'],
  },
  'fails, and its recovery is refused': {
    edge: { recovery },
    happens: all(recoversWith(rejected('HTTP 500')), fails(5)),
    decides: ['threshold', 'delivery'],
  },
  'fails, and the answer of its recovery is lost': {
    edge: { recovery },
    happens: all(recoversWith(unknown('no answer')), fails(5)),
    decides: ['threshold', 'recovery', 'delivery'],
  },
  'fails, and its recovery helps': {
    edge: { recovery },
    happens: all(fails(3), waits(1), heals(1)),
    decides: ['recovery', 'delivery'],
  },
  'pages people by its policy': {
    ...paging,
    happens: all(fails(3), waits(1)),
    decides: ['threshold', 'policy'],
  },
  'pages people, and somebody acknowledges': {
    ...paging,
    happens: all(fails(3), asked('acknowledge')),
    decides: ['threshold', 'acknowledgement', 'policy'],
  },
  'pages people in their quiet hours': {
    edge: { policy: 'page', notify: {} },
    head: quietHead,
    happens: all(fails(3), waits(1)),
    decides: ['threshold', 'policy', 'quiet_hours'],
  },
  'has a policy, and a destination that it has not reached is asked about': {
    ...paging,
    happens: all(fails(3), waits(1)),
    endpoint: 'lead-1',
    decides: ['threshold', 'policy'],
  },
  'has a policy, and is well': { ...paging, decides: [] },
  'has an open incident, which is asked about': {
    incident: true,
    happens: fails(3),
    decides: ['threshold', 'delivery'],
  },
  'had an incident, which is asked about': {
    incident: true,
    happens: all(fails(3), heals(3)),
    decides: ['threshold', 'delivery'],
  },
  'had an incident that was acknowledged, which is asked about': {
    incident: true,
    happens: all(fails(3), asked('acknowledge'), heals(3)),
    decides: ['threshold', 'acknowledgement', 'delivery'],
  },
  'had an incident that was dismissed, which is asked about': {
    incident: true,
    happens: all(fails(3), asked('dismiss'), heals(3)),
    decides: ['threshold', 'acknowledgement', 'delivery'],
  },
  'had an incident after a recovery, which is asked about': {
    incident: true,
    edge: { recovery },
    happens: all(fails(6), heals(3)),
    decides: ['threshold', 'recovery', 'delivery'],
  },
  'had an incident of which nobody heard, which is asked about': {
    incident: true,
    happens: all(answers(rejected('HTTP 400')), fails(3), heals(3)),
    decides: ['threshold', 'delivery'],
  },
  'had an incident, and was disabled': {
    incident: true,
    happens: async (service) => {
      await fails(3)(service)
      await service.reload({ monitors: [{ ...edge, enabled: false }], head: endpoints('ops', 'night') })
      await service.advance({ seconds: 1 })
    },
    decides: ['threshold', 'delivery'],
  },
  'had an incident, and has left the fleet': {
    incident: true,
    happens: async (service) => {
      await fails(3)(service)
      await service.reload({ monitors: [gateway], head: endpoints('ops', 'night') })
      await service.advance({ seconds: 1 })
    },
    decides: ['threshold', 'delivery'],
  },
}

async function played({
  edge: parts,
  others = [],
  head = {},
  happens,
  stepMs = 500,
}: Timeline): Promise<TestService> {
  const ofOnCall = head.policies === undefined ? endpoints('ops', 'night') : {}
  const monitors = [{ ...edge, ...parts }, ...others]
  const service = await TestService.start({ monitors, head: { ...ofOnCall, ...head }, stepMs })
  await service.advance({ seconds: 15 })
  await happens?.(service)
  return service
}

function explanationsOf({ fleet, engine, store, clock }: TestService): Explanations {
  const onCall = new OnCallViews(fleet, engine.reading)
  return new Explanations({ fleet, engine: engine.reading, store, onCall, clock })
}

async function explained(timeline: Timeline): Promise<v2.DecisionExplanation> {
  const service = await played(timeline)
  const explanations = explanationsOf(service)
  if (timeline.incident !== true) return (await explanations.ofMonitor('edge', timeline.endpoint ?? null))!
  const opened = (await service.events('edge')).find(({ type }) => type === 'incident_opened')!
  return (await explanations.ofIncident(opened.incidentId!))!
}

function withoutTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
}

const transcript = new Map<string, string>()

function written({ summary, rules, next }: v2.DecisionExplanation): string {
  const told = rules.filter(
    ({ rule, verdict, text }) =>
      (verdict === 'decided' || rule === 'routes') && !summary.startsWith(text.slice(0, -1)),
  )
  const lines = [
    `- ${summary}`,
    ...told.map(({ rule, text }) => `  - ${rule}: ${text}`),
    ...next.map(({ text }) => `  - then: ${text}`),
  ]
  return withoutTimes(lines.join('\n'))
}

describe('a monitor', () => {
  it.each(Object.entries(timelines))('that %s', async (what, timeline) => {
    const explanation = await explained(timeline)
    transcript.set(what, written(explanation))
    const decided = explanation.rules.filter(({ verdict }) => verdict === 'decided').map(({ rule }) => rule)
    expect([...new Set(decided)].sort()).toEqual([...timeline.decides].sort())
    expect(explanation.summary).toMatch(/\bedge\b/i)
  })

  it('of which nothing is known yet', async () => {
    const service = await TestService.start({ monitors: [edge], head: endpoints('ops', 'night') })
    const explanation = (await explanationsOf(service).ofMonitor('edge', null))!
    expect(explanation.summary).toBe('Nothing is known of Edge: no check has said anything yet.')
  })

  it('that reports by itself, and is silent', async () => {
    const backup = { ...push('backup', { every: '1m', grace: '10s' }), name: 'Backup' }
    const service = await TestService.start({ monitors: [backup], head: {}, stepMs: 100 })
    await service.signal('backup')
    const expected = (await explanationsOf(service).ofMonitor('backup', null))!
    expect(expected.next.map(({ text }) => text)).toEqual(['A signal is expected.'])
    await service.advance({ seconds: 80 })
    const { summary, rules } = (await explanationsOf(service).ofMonitor('backup', null))!
    expect(summary).toMatch(/^(The incident of Backup is open|Backup fails)/)
    expect(rules.find(({ rule }) => rule === 'threshold')).toMatchObject({ verdict: 'decided' })
  })

  it('that never was, and an action that never was, have no explanation', async () => {
    const explanations = explanationsOf(await played(timelines['is well']!))
    expect(await explanations.ofMonitor('nothing', null)).toBeNull()
    expect(await explanations.ofIncident('nothing')).toBeNull()
    expect(await explanations.ofAction('nothing')).toBeNull()
  })

  it('is told of in the words of one transcript', async () => {
    const told = [...transcript].map(([what, lines]) => `## A monitor that ${what}\n\n${lines}`)
    await expect(`# What explain says\n\n${told.join('\n\n')}\n`).toMatchFileSnapshot(
      'golden/explained-monitors.md',
    )
  })
})

describe('what comes next', () => {
  const textOf = ({ text }: v2.ComingChange) => text
  const deliveries = (color: string) => (service: TestService) =>
    service.providers.deliveries.filter(({ notification }) => notification.color === color).length
  const pages = ({ providers }: TestService) =>
    providers.deliveries.filter(({ notification }) => notification.page !== undefined).length
  const windowOf = (service: TestService) => service.engine.reading.windowOf(service.rowOf('edge')).active
  const isSnoozed = (service: TestService) =>
    service.engine.reading.healthOf(service.rowOf('edge')).snooze !== null

  /** By the beginning of its sentence: what is another when it has come. */
  const signs: readonly (readonly [RegExp, (service: TestService) => unknown])[] = [
    [/^It is checked again/, (service) => service.target('edge').checks],
    [/^Maintenance/, windowOf],
    [/^The snooze ends/, isSnoozed],
    [/^Red is repeated/, deliveries('red')],
    [/^Red of .* is sent/, deliveries('red')],
    [/^The policy .* tells step/, pages],
  ]

  const failsOn: Timeline = { happens: fails(3), decides: [] }
  const promised: readonly (readonly [string, Timeline, RegExp])[] = [
    ['the next check', { decides: [] }, /^It is checked again\.$/],
    [
      'the check that opens the incident',
      { happens: fails(2), decides: [] },
      /if that fails, the incident opens/,
    ],
    ['the end of maintenance', timelines['fails in maintenance']!, /^Maintenance ends/],
    ['the begin of maintenance', timelines['fails before maintenance']!, /^Maintenance begins/],
    ['the end of a snooze', timelines['is snoozed']!, /^The snooze ends/],
    ['a repeat', { ...failsOn, edge: { notify: { ...notify, repeat: '10m' } } }, /^Red is repeated/],
    ['the end of a cooldown', timelines['fails again within the cooldown']!, /^Red of .* is sent/],
    ['the next attempt', timelines['fails, and its red is not taken for now']!, /^Red of .* is sent/],
    ['the next step of a policy', timelines['pages people by its policy']!, /^The policy .* tells step/],
  ]

  it.each(promised)('is %s, at its time and not before', async (_, timeline, said) => {
    const service = await played({ ...timeline, stepMs: 500 })
    const { next } = (await explanationsOf(service).ofMonitor('edge', null))!
    const change = next.find((one) => said.test(textOf(one)))!
    const [, sign] = signs.find(([begin]) => begin.test(change.text))!
    const before = sign(service)
    const inMs = Date.parse(change.at!) - service.clock.wallMs()
    await service.advance({ ms: Math.max(0, Math.floor((inMs - 1_000) / 500) * 500) })
    expect(sign(service)).toEqual(before)
    await service.advance({ ms: 3_000 })
    expect(sign(service)).not.toEqual(before)
    if (!/the incident opens/.test(change.text)) return
    // After maintenance, by the next check.
    await service.advance({ seconds: 10 })
    expect(service.statusOf('edge')).toBe('incident')
  })
})

describe('what comes next of a page', () => {
  const stepOf = async (service: TestService) => {
    const { next } = (await explanationsOf(service).ofMonitor('edge', null))!
    return next.find(({ text }) => text.startsWith('The policy'))
  }

  it('is a step at no time that has passed, while the page waits for a check after a restart', async () => {
    const service = await played(timelines['pages people by its policy']!)
    expect(await stepOf(service)).toMatchObject({ text: 'The policy page tells step 2.' })
    await service.restart(undefined, { offSeconds: 3_600 })
    const text = 'The policy page tells step 2 once a check has failed since the service went on.'
    expect(await stepOf(service)).toEqual({ text })
  })
})

describe('an earlier moment', () => {
  const ago = (service: TestService, seconds: number) => service.clock.wallMs() - seconds * 1_000

  async function then(of: Timeline, seconds: number, later = 0) {
    const service = await played(of)
    await service.advance({ seconds: later })
    const explanation = await explanationsOf(service).ofMonitorAt(
      'edge',
      ago(service, seconds + later),
      of.endpoint ?? null,
    )
    const { summary, rules, next } = explanation!
    const decided = rules.filter(({ verdict }) => verdict === 'decided').map(({ rule }) => rule)
    return [withoutTimes(summary), decided, next.map(({ text }) => text)]
  }

  const outage = all(fails(4), heals(3))
  const opening = 'The incident of Edge was open since TIME: 3 checks in a row failed; the threshold is 3.'

  it.each<[string, Timeline, number, unknown]>([
    [
      'within an incident that has closed',
      { happens: outage, decides: [] },
      35,
      [opening, ['threshold', 'delivery'], ['The incident closed.']],
    ],
    [
      'before it',
      { happens: all(asked('snooze'), asked('unsnooze'), waits(20), outage), decides: [] },
      80,
      ['No incident of Edge was open at TIME.', [], ['An incident opened.']],
    ],
    ['after it', { happens: outage, decides: [] }, 1, ['No incident of Edge was open at TIME.', [], []]],
    [
      'within an incident, of a destination',
      { happens: outage, endpoint: 'ops', decides: [] },
      35,
      [
        'Red of Edge to ops was delivered at TIME: 3 checks in a row failed; the threshold is 3.',
        ['threshold', 'delivery'],
        ['The incident closed.'],
      ],
    ],
    [
      'within an incident, of a destination that got nothing',
      { happens: outage, endpoint: 'night', decides: [] },
      35,
      [
        'No red of Edge went to night: the monitor, the default and the routes did not name it.',
        ['threshold', 'routes', 'delivery'],
        ['The incident closed.'],
      ],
    ],
    [
      'while what it depends on was down',
      { ...needs, happens: all(gatewayIsDown, fails(5), waits(60)), endpoint: 'ops', decides: [] },
      40,
      [
        'No red of Edge went to ops: Edge gateway, on which it depends, was down since TIME.',
        ['dependency'],
        [],
      ],
    ],
    [
      'while it was snoozed',
      { happens: all(asked('snooze'), waits(20), asked('unsnooze')), decides: [] },
      10,
      ['No incident of Edge was open at TIME: it was snoozed until TIME.', ['snooze'], []],
    ],
    [
      'after its snooze',
      { happens: all(asked('snooze'), waits(20), asked('unsnooze'), waits(10)), decides: [] },
      1,
      ['No incident of Edge was open at TIME.', [], []],
    ],
  ])('%s', async (_, timeline, seconds, expected) => {
    expect(await then(timeline, seconds)).toEqual(expected)
  })

  it('of what it depends on, which is up again, says from when to when', async () => {
    const up = (service: TestService) => service.target('gateway').comesBack()
    const timeline = {
      ...needs,
      happens: all(gatewayIsDown, fails(5), up, heals(3)),
      endpoint: 'ops',
      decides: [],
    }
    const [summary] = await then(timeline, 35)
    expect(summary).toBe(
      'No red of Edge went to ops: Edge gateway, on which it depends, was down from TIME to TIME.',
    )
  })

  it('is told as it was then, and not as it ended', async () => {
    const slow = (service: TestService) => {
      service.providers.latencyMs = 15_000
    }
    const timeline = { happens: all(slow, fails(3), waits(30)), endpoint: 'ops', decides: [] }
    const [summary] = await then(timeline, 25)
    expect(summary).toMatch(/^Red of Edge to ops was sent at TIME, and no answer has come yet/)
  })

  it('before the record, and of monitors that left or never were, is answered as such', async () => {
    const service = await played({ happens: all(fails(3), waits(10)), decides: [] })
    const explanations = explanationsOf(service)
    const early = (await explanations.ofMonitorAt('edge', ago(service, 86_400), null))!
    expect(withoutTimes(early.summary)).toBe('What Edge was at TIME is not known: the record begins at TIME.')
    expect(await explanations.ofMonitorAt('nothing', ago(service, 1), null)).toBeNull()
    await service.reload({ monitors: [gateway], head: endpoints('ops', 'night') })
    await service.advance({ seconds: 5 })
    const gone = (await explanationsOf(service).ofMonitorAt('edge', ago(service, 8), null))!
    expect(gone.summary).toMatch(/^The incident of edge was open since /)
  })
})
