// What configuration was, and what explain says of a moment at which another one was in force: windows, thresholds, routes,
// groups, policies, destinations and labels; changed by a reload, by single writes, while nothing ran, and not recorded.
import type { v2 } from '@pulseward/contract'
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { FleetHead, MonitorDocument } from './config/fleet-file/schema.ts'
import { Explanations } from './explaining/explanations.ts'
import { OnCallViews } from './projection/v2/on-call-views.ts'
import { retentionMs } from './store/retention.ts'
import { head as onCallHead } from './timeline-on-call.fixture.ts'

const ops = { red: { endpoints: ['ops'] } }
const check = { interval: '10s', timeout: '5s' }
const edge: MonitorDocument = {
  ...http('edge'),
  name: 'Edge',
  notify: ops,
  check: { ...http('edge').check, ...check },
}
const gateway: MonitorDocument = { ...http('gateway'), name: 'Edge gateway' }
const window = { name: 'patching', start: '2026-01-01T00:00:00Z', end: '2026-01-01T00:20:00Z' }
const toNight = { name: 'eu-nights', colors: ['red' as const], endpoints: ['night'], match: { region: 'eu' } }

interface Fleet {
  readonly edge?: Partial<MonitorDocument> | null
  readonly head?: FleetHead
}

function fleetOf({ edge: parts = {}, head = {} }: Fleet) {
  const both = head.policies === undefined ? endpoints('ops', 'night') : {}
  return {
    monitors: [...(parts === null ? [] : [{ ...edge, ...parts }]), gateway],
    head: { ...both, ...head },
  }
}

const started = async (before: Fleet) => {
  const service = await TestService.start({ ...fleetOf(before), stepMs: 500 })
  await service.advance({ seconds: 15 })
  return service
}

async function askedAt(service: TestService, at: number, endpoint: string | null = null) {
  const { fleet, engine, store, clock } = service
  const onCall = new OnCallViews(fleet, engine.reading)
  const explanations = new Explanations({ fleet, engine: engine.reading, store, onCall, clock })
  return (await explanations.ofMonitorAt('edge', at, endpoint))!
}

function textOf(explanation: v2.DecisionExplanation, rule: v2.ExplainedRule['rule']): string {
  const texts = explanation.rules.filter((one) => one.rule === rule).map(({ text }) => text)
  return texts.join(' ').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
}

type Rule = v2.ExplainedRule['rule']

/** What was in force, what took its place, the destination that is asked about, and what is said of both times. */
const changes: Readonly<Record<string, readonly [Fleet, Fleet, string | null, Rule, string, string]>> = {
  'a window was removed': [
    { edge: { maintenance: [window] } },
    {},
    null,
    'maintenance',
    'It was in the maintenance patching until TIME: no incident could open, and nothing was sent.',
    'It had no maintenance windows.',
  ],
  'it was disabled': [
    {},
    { edge: { enabled: false } },
    null,
    'enabled',
    'It was enabled.',
    'It was disabled: it was not checked, and nothing was sent.',
  ],
  'its threshold became another': [
    { edge: { check: { ...edge.check, unhealthy_threshold: 7 } } },
    {},
    null,
    'threshold',
    'Failed checks that opened no incident are not kept. The threshold was 7.',
    'Failed checks that opened no incident are not kept. The threshold was 3.',
  ],
  'it depended on something': [
    { edge: { depends_on: ['gateway'] } },
    {},
    null,
    'dependency',
    'No incident was suppressed by what it depends on.',
    'It depended on no other monitor.',
  ],
  'its own rules named another destination': [
    { edge: { notify: { red: { endpoints: ['night'] } } } },
    {},
    'night',
    'routes',
    'Red went to night: the monitor itself named it.',
    'The monitor, the default and the routes did not name night for red.',
  ],
  'a route led to a destination': [
    { edge: { labels: { region: 'eu' } }, head: { routes: [toNight] } },
    { edge: { labels: { region: 'eu' } } },
    'night',
    'routes',
    'Red went to night: the route routes.0 named it.',
    'The monitor, the default and the routes did not name night for red.',
  ],
  'a route had another label': [
    { edge: { labels: { region: 'eu' } }, head: { routes: [{ ...toNight, match: { region: 'us' } }] } },
    { edge: { labels: { region: 'eu' } }, head: { routes: [toNight] } },
    'night',
    'routes',
    'The monitor, the default and the routes did not name night for red. The route routes.0 did not apply: it was for region=us, and the monitor had region=eu.',
    'Red went to night: the route routes.0 named it.',
  ],
  'it had another label': [
    { edge: { labels: { region: 'us' } }, head: { routes: [toNight] } },
    { edge: { labels: { region: 'eu' } }, head: { routes: [toNight] } },
    'night',
    'routes',
    'The monitor, the default and the routes did not name night for red. The route routes.0 did not apply: it was for region=eu, and the monitor had region=us.',
    'Red went to night: the route routes.0 named it.',
  ],
  'a group had another member': [
    { edge: { notify: { red: { groups: ['people'] } } }, head: { groups: { people: ['night'] } } },
    { edge: { notify: { red: { groups: ['people'] } } }, head: { groups: { people: ['ops'] } } },
    'night',
    'routes',
    'Red went to night: the monitor itself (by the group people) named it.',
    'The monitor, the default and the routes did not name night for red.',
  ],
  'a destination was removed': [
    {},
    { head: endpoints('ops') },
    'night',
    'destination',
    'The destination night was there (log); whether it took messages is not kept.',
    'There was no destination night.',
  ],
  'a policy applied': [
    { edge: { policy: 'page', notify: {} }, head: onCallHead() },
    { edge: { notify: {} }, head: onCallHead() },
    null,
    'policy',
    'Its red was critical; the policy page of 2 steps applied, and had told nobody about it.',
    'Its red was critical; no escalation policy applied to it.',
  ],
}

describe('an earlier moment is explained by the configuration of then', () => {
  it.each(Object.entries(changes))('when %s', async (_, [before, after, endpoint, rule, then, since]) => {
    const service = await started(before)
    const at = service.clock.wallMs()
    await service.advance({ seconds: 5 })
    await service.reload(fleetOf(after))
    await service.advance({ seconds: 5 })
    expect(textOf(await askedAt(service, at, endpoint), rule)).toBe(then)
    expect(textOf(await askedAt(service, service.clock.wallMs(), endpoint), rule)).toBe(since)
  })

  it.each(Object.entries(changes))(
    'when %s, over a restart',
    async (_, [before, after, endpoint, rule, then, since]) => {
      const service = await started(before)
      const at = service.clock.wallMs()
      await service.advance({ seconds: 5 })
      await service.reload(fleetOf(after))
      await service.advance({ seconds: 5 })
      await service.restart()
      await service.advance({ seconds: 5 })
      expect(textOf(await askedAt(service, at, endpoint), rule)).toBe(then)
      expect(textOf(await askedAt(service, service.clock.wallMs(), endpoint), rule)).toBe(since)
    },
  )

  it('of several changes, by the first that came after it', async () => {
    const named = (name: string) => ({ edge: { maintenance: [{ ...window, name }] } })
    const service = await started(named('one'))
    const moments: number[] = []
    for (const name of ['two', 'three', 'one']) {
      moments.push(service.clock.wallMs())
      await service.advance({ seconds: 5 })
      await service.reload(fleetOf(named(name)))
    }
    const told = await Promise.all(moments.map((at) => askedAt(service, at)))
    expect(told.map((one) => /maintenance (\w+) until/.exec(textOf(one, 'maintenance'))?.[1])).toEqual([
      'one',
      'two',
      'three',
    ])
  })

  it('before it was in the fleet, and after it has left', async () => {
    const service = await started({ edge: null })
    const before = service.clock.wallMs()
    await service.advance({ seconds: 5 })
    await service.reload(fleetOf({}))
    await service.advance({ seconds: 15 })
    const within = service.clock.wallMs()
    await service.advance({ seconds: 5 })
    await service.reload(fleetOf({ edge: null }))
    await service.advance({ seconds: 5 })
    expect((await askedAt(service, before)).summary).toMatch(/^Edge was not in the fleet at /)
    expect(textOf(await askedAt(service, within), 'enabled')).toBe('It was enabled.')
    expect((await askedAt(service, service.clock.wallMs())).summary).toMatch(/^Edge was not in the fleet at /)
  })
})

describe('what changed while no service ran', () => {
  const over = async (before: Fleet, after: Fleet) => {
    const service = await started(before)
    const at = service.clock.wallMs()
    await service.advance({ seconds: 5 })
    await service.restart(fleetOf(after))
    await service.advance({ seconds: 5 })
    return { service, at }
  }

  it('is known of what monitors share', async () => {
    const labels = { region: 'eu' }
    const { service, at } = await over(
      { edge: { labels }, head: { routes: [toNight] } },
      { edge: { labels } },
    )
    expect(textOf(await askedAt(service, at, 'night'), 'routes')).toBe(
      'Red went to night: the route routes.0 named it.',
    )
  })

  it('is not known of a monitor, and says so', async () => {
    const { service, at } = await over({ edge: { maintenance: [window] } }, {})
    const words = 'Its configuration of that time is not kept: it changed while no service ran, before TIME.'
    const told = await askedAt(service, at)
    for (const rule of ['enabled', 'maintenance', 'routes'] as const) expect(textOf(told, rule)).toBe(words)
    expect(textOf(await askedAt(service, service.clock.wallMs()), 'maintenance')).toBe(
      'It had no maintenance windows.',
    )
  })

  it('is noticed of its labels, which no revision of a monitor covers', async () => {
    const { service, at } = await over(
      { edge: { labels: { region: 'eu' } } },
      { edge: { labels: { region: 'us' } } },
    )
    const told = await askedAt(service, at)
    expect(textOf(told, 'enabled')).toBe('It was enabled.')
    expect(textOf(told, 'routes')).toMatch(/^Its configuration of that time is not kept: it changed while/)
    const now = await askedAt(service, service.clock.wallMs())
    expect(textOf(now, 'routes')).toBe('Red went to ops: the monitor itself named it.')
  })

  it('is nothing if nothing changed', async () => {
    const { service, at } = await over(
      { edge: { maintenance: [window], labels: { region: 'eu' } } },
      {
        edge: { maintenance: [window], labels: { region: 'eu' } },
      },
    )
    expect(textOf(await askedAt(service, at), 'maintenance')).toMatch(/^It was in the maintenance patching/)
    expect(textOf(await askedAt(service, at), 'routes')).toBe('Red went to ops: the monitor itself named it.')
  })
})

describe('a moment without a record', () => {
  it('is before the first start', async () => {
    const service = await started({})
    const { summary, rules } = await askedAt(service, service.clock.wallMs() - 86_400_000)
    expect(summary).toMatch(/^What Edge was at \S+ is not known: the record begins at /)
    expect(rules).toEqual([])
  })

  it('is longer ago than records are kept', async () => {
    const service = await started({})
    const { summary } = await askedAt(service, service.clock.wallMs() - retentionMs - 1)
    expect(summary).toMatch(/^What Edge was at \S+ is not known: the record begins at /)
  })

  it('is within the record although nothing has happened yet', async () => {
    const service = await started({})
    const { summary } = await askedAt(service, service.clock.wallMs() - 5_000)
    expect(summary).toMatch(/^No incident of Edge was open at /)
  })
})

describe('the record of configuration', () => {
  const kept = async (service: TestService) => (await service.store.usage()).revisions

  it('does not grow while nothing changes, however much fails', async () => {
    const service = await started({ edge: { maintenance: [window] }, head: { routes: [toNight] } })
    const before = await kept(service)
    service.target('gateway').goesDown('refused')
    await service.advance({ seconds: 60 })
    await service.reload(fleetOf({ edge: { maintenance: [window] }, head: { routes: [toNight] } }))
    await service.restart()
    await service.advance({ seconds: 30 })
    expect(await kept(service)).toBe(before)
  })

  it('has one more row for one change of one monitor', async () => {
    const service = await started({})
    const before = await kept(service)
    await service.reload(fleetOf({ edge: { maintenance: [window] } }))
    await service.advance({ seconds: 5 })
    expect(await kept(service)).toBe(before + 1)
  })

  it('has no options of checks, recoveries and destinations', async () => {
    const url = 'http://user:hidden-word@edge.test/health'
    const recovery = { type: 'webhook', config: { url: 'http://hidden-word.test/restart' } }
    const before = { edge: { recovery, check: { ...edge.check, config: { url } } } }
    const service = await started(before)
    await service.reload(fleetOf({ edge: { enabled: false } }))
    await service.advance({ seconds: 5 })
    const recovered = await service.store.recover(0)
    const past = await service.store.readRevisions({ monitorId: 'edge', at: service.clock.wallMs() - 6_000 })
    expect(past.some(({ kind }) => kind === 'Monitor')).toBe(true)
    expect(JSON.stringify([past, recovered.revisions])).not.toContain('hidden-word')
  })
})
