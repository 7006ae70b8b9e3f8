// Whole-service timelines of escalation policies: who is told of an incident, when, and what if nobody answers.
import type { TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { FleetHead, MonitorDocument } from './config/fleet-file/schema.ts'
import { gone, rejected, retry, unknown } from './platform/action-outcome.ts'
import {
  always,
  control,
  failing,
  head,
  incidentOf,
  monitor,
  names,
  type Policy,
  paged,
  phases,
  started,
  steps,
} from './timeline-on-call.fixture.ts'

describe('a policy', () => {
  it('starts when the incident opens, in the same batch, and tells one step after the other', async () => {
    const service = await failing()
    expect(paged(service)).toEqual(['0s ana-push: step'])
    await service.advance({ seconds: 301 })
    expect(paged(service)).toEqual(['0s ana-push: step', '300s lead-1: step', '300s lead-2: step'])
    const { pages } = service.parts.escalations
    expect(pages).toMatchObject([{ policy: 'page', run: { is: 'spent' } }])
  })

  it('does not start at yellow', async () => {
    const slow = monitor('edge', { notify: {} })
    const service = await failing(head(), [{ ...slow, check: { ...slow.check, unhealthy_threshold: 3 } }])
    expect(paged(service)).toEqual([])
    await service.advance({ seconds: 11 })
    expect(paged(service)).toEqual(['0s ana-push: step'])
  })

  it('leaves the colors that go out beside it as they are', async () => {
    const service = await failing(head(), [monitor('edge')])
    expect(service.told).toEqual(['edge red → chat', 'edge red → ana-push'])
  })

  it('repeats its steps as often as it says', { tags: 'long' }, async () => {
    const service = await failing(head({ steps: [{ notify: [{ person: 'bo' }], wait: '1m' }], repeat: 2 }))
    await service.advance({ seconds: 600 })
    expect(paged(service)).toEqual(['0s bo-push: step', '60s bo-push: step', '120s bo-push: step'])
  })

  it('keeps the revision it started with; a changed policy is used by the next incident', async () => {
    const service = await failing()
    const changed = head({ steps: [{ notify: [{ person: 'bo' }], wait: '5m' }] })
    await service.reload({ monitors: [monitor('edge', { notify: {} })], head: changed })
    await service.advance({ seconds: 301 })
    expect(paged(service)).toEqual(['0s ana-push: step', '300s lead-1: step', '300s lead-2: step'])
    service.target('edge').comesBack()
    await service.advance({ seconds: 6 })
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    expect(paged(service).at(-1)).toMatch(/bo-push: step$/)
  })

  it('is that of the monitor, else of the first matching route that names one, else the default', async () => {
    const to = (person: string): Policy => ({ steps: [{ notify: [{ endpoint: person }] }] })
    const policies = { own: to('lead-1'), routed: to('lead-2'), usual: to('bo-push') }
    const labels = { team: 'payments' }
    const match = labels
    const routes = [
      { match: { team: 'other' }, policy: 'own' },
      { match, policy: 'routed' },
      { match, policy: 'own' },
    ]
    const plain = (id: string, parts: Partial<MonitorDocument>) => {
      const { policy: _, ...rest } = monitor(id, parts)
      return { ...rest, notify: {} }
    }
    const service = await failing(head({}, { policies, routes, defaults: { policy: 'usual' } }), [
      monitor('a', { policy: 'own', labels, notify: {} }),
      plain('b', { labels }),
      plain('c', {}),
    ])
    expect(service.told.toSorted()).toEqual(['a red → lead-1', 'b red → lead-2', 'c red → bo-push'])
  })
})

describe('a step', () => {
  it('resolves who is on call at the moment it fires', async () => {
    const layer = { people: ['ana', 'bo'], start: '2025-12-31T00:05', every: '1d' }
    const twice = [steps[0]!, steps[0]!]
    const service = await failing(head({ steps: twice }, { schedules: { primary: { layers: [layer] } } }))
    await service.advance({ seconds: 301 })
    expect(paged(service)).toEqual(['0s ana-push: step', '300s bo-push: step'])
  })

  it('tells somebody who is named twice once', async () => {
    const notify = [{ schedule: 'primary' }, { person: 'ana' }, { endpoint: 'ana-push' }, { group: 'leads' }]
    const service = await failing(head({ steps: [{ notify }, steps[1]!] }))
    expect(paged(service)).toEqual(['0s ana-push: step', '0s lead-1: step', '0s lead-2: step'])
  })

  it('tells all endpoints of a person at once where it says so', async () => {
    const service = await failing(head({ steps: [{ notify: [{ person: 'ana', all_endpoints: true }] }] }))
    expect(paged(service)).toEqual(['0s ana-push: step', '0s ana-phone: step'])
  })

  it('that reaches nobody is skipped at once, with an event', async () => {
    const empty = { layers: [{ people: ['bo'], start: '2030-01-01T00:00' }] }
    const service = await failing(head({}, { schedules: { primary: empty } }))
    expect(paged(service)).toEqual(['0s lead-1: step', '0s lead-2: step'])
    expect(await phases(service)).toEqual(['opened', 'skipped', 'told', 'spent'])
  })

  it('of a round that reaches nobody tells the default destinations of red so', async () => {
    const empty = { layers: [{ people: ['bo'], start: '2030-01-01T00:00' }] }
    const policy = { steps: [steps[0]!], repeat: 1 }
    const service = await failing(head(policy, { schedules: { primary: empty } }))
    await service.advance({ seconds: 301 })
    expect(paged(service)).toEqual(['0s chat: nobody', '300s chat: nobody'])
  })

  it.each([
    ['fails definitely', () => rejected('HTTP 400')],
    ['goes to an endpoint that is gone', () => gone('HTTP 410')],
    ['is unknown', () => unknown('no answer')],
  ])('that %s goes to the next endpoint of that person at once', async (_, outcome) => {
    const service = await started()
    const { outcomeOf } = service.providers
    service.providers.outcomeOf = (one) => (one.endpoint === 'ana-push' ? outcome() : outcomeOf(one))
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    expect(paged(service)).toEqual(['0s ana-push: step', '0s ana-phone: step'])
  })

  it('that is not there after 30 seconds goes to the next endpoint of that person', async () => {
    const service = await started()
    const { outcomeOf } = service.providers
    service.providers.outcomeOf = (one) => (one.endpoint === 'ana-push' ? retry('HTTP 503') : outcomeOf(one))
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 40 })
    expect(paged(service)).toContain('30s ana-phone: step')
    expect(paged(service).filter((one) => one.includes('ana-phone'))).toHaveLength(1)
  })

  it('is not held back by a cooldown', async () => {
    const service = await failing(head({ steps: [{ notify: [{ endpoint: 'lead-1' }] }] }))
    service.target('edge').comesBack()
    await service.advance({ seconds: 55 })
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 11 })
    expect(paged(service).map((one) => one.replace(/^\d+s /, ''))).toEqual([
      'lead-1: step',
      'lead-1: ended',
      'lead-1: step',
    ])
  })
})

describe('an end', () => {
  it('of the incident by recovery stops the policy, and whoever was paged hears it once', async () => {
    const service = await failing()
    service.target('edge').comesBack()
    await service.advance({ seconds: 600 })
    expect(paged(service).map((one) => one.replace(/^\d+s /, ''))).toEqual([
      'ana-push: step',
      'ana-push: ended',
    ])
    expect(service.parts.escalations.pages).toEqual([])
  })

  it.each([
    ['dismissed', (service: TestService) => control(service, 'dismiss')],
    [
      'disabled',
      (service: TestService) =>
        service.reload({ monitors: [monitor('edge', { notify: {}, enabled: false })], head: head() }),
    ],
    ['removed', (service: TestService) => service.reload({ monitors: [monitor('other')], head: head() })],
  ])('comes when it is %s', async (_, happens) => {
    const service = await failing()
    await happens(service)
    await service.advance({ seconds: 600 })
    expect(paged(service).map((one) => one.replace(/^\d+s /, ''))).toEqual([
      'ana-push: step',
      'ana-push: ended',
    ])
  })

  it('goes to the endpoint that was used', async () => {
    const service = await started()
    service.providers.outcomeOf = (one) =>
      one.endpoint === 'ana-push' ? rejected('HTTP 400') : { kind: 'accepted' }
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    service.target('edge').comesBack()
    await service.advance({ seconds: 6 })
    expect(paged(service).at(-1)).toMatch(/ana-phone: ended$/)
    expect(paged(service).filter((one) => one.endsWith('ended'))).toHaveLength(1)
  })
})

describe('an acknowledgement', () => {
  it('stops the policy, and whoever was paged hears who it was, once', async () => {
    const service = await failing()
    await control(service, 'acknowledge')
    await service.advance({ seconds: 600 })
    const told = service.providers.deliveries.map(({ notification: { page, acknowledgedBy } }) => [
      page?.stage,
      acknowledgedBy,
    ])
    expect(told).toEqual([
      ['step', null],
      ['acknowledged', 'ana'],
    ])
  })

  it('ends after its timeout: the policy starts again at step 1', async () => {
    const service = await failing(head({ ack_timeout: '10m' }))
    await service.advance({ seconds: 301 })
    await control(service, 'acknowledge')
    await service.advance({ seconds: 610 })
    expect(paged(service).at(-1)).toMatch(/ana-push: step$/)
  })
})

describe('silence', () => {
  it('of a snooze pauses the policy; it starts again at step 1 when that ends with the incident open', async () => {
    const service = await failing()
    await control(service, 'snooze')
    await service.advance({ seconds: 400 })
    expect(paged(service)).toEqual(['0s ana-push: step'])
    await control(service, 'unsnooze')
    expect(paged(service).map((one) => one.replace(/^\d+s /, ''))).toEqual([
      'ana-push: step',
      'ana-push: step',
    ])
  })

  it('of maintenance does so, too', { tags: 'long' }, async () => {
    const window = { start: '2026-01-01T00:01:00Z', end: '2026-01-01T00:08:00Z' }
    const service = await failing(head(), [monitor('edge', { notify: {}, maintenance: [window] })])
    await service.advance({ seconds: 460 })
    expect(paged(service)).toEqual(['0s ana-push: step'])
    await service.advance({ seconds: 30 })
    expect(paged(service)).toHaveLength(2)
    expect(await phases(service)).toEqual(['opened', 'told', 'paused', 'restarted', 'told'])
  })

  it('of a dismissal ends with its reopening, at step 1', async () => {
    const service = await failing()
    await control(service, 'dismiss')
    await service.advance({ seconds: 70 })
    await control(service, 'reopen')
    expect(paged(service).map((one) => one.replace(/^\d+s /, ''))).toEqual([
      'ana-push: step',
      'ana-push: ended',
      'ana-push: step',
    ])
  })
})

describe('a fleet that changes under an open page', () => {
  const edge = [monitor('edge', { notify: {} })]
  const without = (parts: Partial<FleetHead>) => ({ monitors: edge, head: { ...head(), ...parts } })
  const kept = Object.fromEntries(names.slice(1).map((name) => [name, { type: 'log', config: {} }]))

  it('tells a person on the next endpoint if the one that the step was queued for is removed', async () => {
    const service = await started()
    const { outcomeOf } = service.providers
    service.providers.outcomeOf = (one) => (one.endpoint === 'ana-push' ? retry('HTTP 503') : outcomeOf(one))
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    expect(service.told.at(-1)).toBe('edge red → ana-push')
    await service.reload(
      without({
        endpoints: kept,
        people: { ana: { endpoints: ['ana-phone'] }, bo: { endpoints: ['bo-push'] } },
      }),
    )
    await service.advance({ seconds: 1 })
    expect(service.told.at(-1)).toBe('edge red → ana-phone')
  })

  it('tells whoever is on call on the endpoints that are left when a step fires', async () => {
    const service = await failing(head({ steps: [steps[0]!, steps[0]!] }))
    await service.reload(without({ endpoints: kept, people: { ana: { endpoints: ['ana-phone'] } } }))
    await service.advance({ seconds: 301 })
    expect(paged(service)).toEqual(['0s ana-push: step', '300s ana-phone: step'])
  })

  it.each([
    ['schedule', { schedules: {}, policies: { page: { steps: [steps[1]!] } } }],
    ['person', { people: {}, schedules: {}, policies: { page: { steps: [steps[1]!] } } }],
  ])('skips a step whose %s was deleted since, with an event', async (_, parts) => {
    const service = await failing(head({ steps: [steps[0]!, steps[0]!, steps[1]!] }))
    await service.reload(without(parts))
    await service.advance({ seconds: 301 })
    expect(paged(service)).toEqual(['0s ana-push: step', '300s lead-1: step', '300s lead-2: step'])
    expect(await phases(service)).toEqual(['opened', 'told', 'skipped', 'told', 'spent'])
  })
})

describe('a storm', () => {
  const fourteen = Array.from({ length: 14 }, (_, index) => monitor(`m${index}`, { notify: {} }))

  it('is one page: incidents of the same policy join it for 60 seconds', async () => {
    const service = await failing(head(), fourteen)
    expect(paged(service)).toEqual(['0s ana-push: step'])
    await service.advance({ seconds: 301 })
    const news = service.providers.deliveries.at(-1)!.notification.page!
    expect(news).toMatchObject({ monitors: 14, policy: 'page' })
    expect(news.others).toHaveLength(9)
    const [page] = service.parts.escalations.pages
    expect(service.parts.escalations.membersOf(page!.id)).toHaveLength(14)
  })

  it('is one page of a policy of one step, too, which has told its last step at once', async () => {
    const service = await failing(head({ steps: [steps[0]!] }), fourteen)
    await service.advance({ seconds: 301 })
    expect(paged(service)).toEqual(['0s ana-push: step'])
    expect(service.parts.escalations.pages).toMatchObject([{ joined: 14, run: { is: 'spent' } }])
  })

  it('opens a page for what is worse than a page that has told its last step', async () => {
    const [first, second, ...others] = fourteen
    const quiet = { hours: '23:00-01:00', severities: ['warning' as const] }
    const service = await started(head({ steps: [steps[0]!], quiet }), [
      { ...first!, severity: 'warning' },
      { ...second!, severity: 'warning' },
      ...others,
    ])
    for (const id of ['m0', 'm1']) service.target(id).goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    expect(paged(service)).toEqual([])
    for (const { id = '' } of others) service.target(id).goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    expect(paged(service)).toEqual(['0s ana-push: step'])
    expect(service.parts.escalations.pages).toMatchObject([{ joined: 2 }, { joined: 12 }])
  })

  it.each(['acknowledge', 'snooze'] as const)(
    'opens the next page when all of it was stopped by: %s',
    async (verb) => {
      const service = await started(head({ steps: [steps[0]!] }), fourteen)
      service.target('m0').goesDown('HTTP 503')
      await service.advance({ seconds: 6 })
      await control(service, verb, 'm0')
      service.target('m1').goesDown('HTTP 503')
      await service.advance({ seconds: 6 })
      expect(service.parts.escalations.pages.map(({ run }) => run.is)).toEqual([
        verb === 'snooze' ? 'paused' : 'acknowledged',
        'spent',
      ])
    },
  )

  it('names the worst', async () => {
    const [first, ...others] = fourteen
    const service = await started(head(), [{ ...first!, severity: 'warning' }, ...others])
    service.target('m0').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    for (const { id = '' } of others) service.target(id).goesDown('HTTP 503')
    await service.advance({ seconds: 301 })
    const told = service.providers.deliveries.map(({ notification: { monitorId, severity } }) => [
      monitorId,
      severity,
    ])
    expect(told[0]).toEqual(['m0', 'warning'])
    expect(told.at(-1)).toEqual([expect.not.stringMatching(/^m0$/), 'critical'])
  })

  describe('named after a monitor that has recovered, while others are still failing,', () => {
    const named = (service: TestService) => {
      const { notification, endpoint } = service.providers.deliveries.at(-1)!
      return [endpoint, notification.monitorId, notification.severity, notification.page!.others]
    }
    /** m0, then m1, which is worse, then m2 and m3, of which m3 is worse; then m1 recovers. */
    async function recovering(policy: Partial<Policy> = {}): Promise<TestService> {
      const severities = ['warning', 'critical', 'warning', 'critical'] as const
      const service = await started(
        head(policy),
        severities.map((severity, index) => ({ ...fourteen[index]!, severity })),
      )
      for (let index = 0; index < 4; index++) {
        service.target(`m${index}`).goesDown('HTTP 503')
        await service.advance({ seconds: 6 })
      }
      service.target('m1').comesBack()
      await service.advance({ seconds: 6 })
      return service
    }

    it('names the worst of those, and the first of them', async () => {
      const service = await recovering()
      expect(service.parts.escalations.pages[0]!.lead.monitorId).toBe('m3')
      await service.advance({ seconds: 301 })
      expect(named(service)).toEqual(['lead-2', 'm3', 'critical', ['m0', 'm2', 'm1']])
    })

    it('is as bad as the worst of those', async () => {
      const service = await recovering()
      service.target('m3').comesBack()
      await service.advance({ seconds: 301 })
      expect(named(service)).toEqual(['lead-2', 'm0', 'warning', ['m3', 'm2', 'm1']])
    })

    it('names the same after a restart', async () => {
      const service = await recovering()
      await service.restart()
      service.target('m3').comesBack()
      await service.advance({ seconds: 301 })
      expect(named(service)).toEqual(['lead-2', 'm0', 'warning', ['m3', 'm2', 'm1']])
    })

    it('names it to the next endpoint of a person, too', async () => {
      const service = await started(head(), fourteen.slice(0, 2))
      service.providers.outcomeOf = () => retry('HTTP 503')
      for (const id of ['m0', 'm1']) {
        service.target(id).goesDown('HTTP 503')
        await service.advance({ seconds: 6 })
      }
      service.target('m0').comesBack()
      await service.advance({ seconds: 30 })
      const next = service.providers.deliveries.find(({ endpoint }) => endpoint === 'ana-phone')
      expect(next!.notification).toMatchObject({ monitorId: 'm1', page: { monitors: 2, others: ['m0'] } })
      expect(next!.notification.incidentId).toBe(incidentOf(service, 'm1')!.id)
    })

    it('names it to somebody at the end of quiet hours', async () => {
      const quiet = { hours: '23:00-00:01', severities: ['critical' as const] }
      const service = await started(head({ quiet }), fourteen.slice(0, 2))
      for (const id of ['m0', 'm1']) {
        service.target(id).goesDown('HTTP 503')
        await service.advance({ seconds: 6 })
      }
      service.target('m0').comesBack()
      await service.advance({ seconds: 60 })
      expect(named(service)).toEqual(['ana-push', 'm1', 'critical', ['m0']])
    })
  })

  it('opens the next page after these 60 seconds', async () => {
    const service = await started(head(), fourteen)
    service.target('m0').goesDown('HTTP 503')
    await service.advance({ seconds: 70 })
    service.target('m1').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    expect(service.parts.escalations.pages).toHaveLength(2)
  })

  it('gets one acknowledgement and one end, when all of its incidents have', async () => {
    const service = await failing(head(), fourteen.slice(0, 2))
    await control(service, 'acknowledge', 'm0')
    expect(paged(service)).toEqual(['0s ana-push: step'])
    await control(service, 'acknowledge', 'm1')
    service.target('m0').comesBack()
    await service.advance({ seconds: 6 })
    service.target('m1').comesBack()
    await service.advance({ seconds: 6 })
    expect(paged(service).map((one) => one.replace(/^\d+s /, ''))).toEqual([
      'ana-push: step',
      'ana-push: acknowledged',
      'ana-push: ended',
    ])
  })

  it('gives a person at most one page of a policy per minute', async () => {
    const service = await started(head(), fourteen)
    for (const id of ['m0', 'm1', 'm2']) {
      service.target(id).goesDown('HTTP 503')
      await service.advance({ seconds: 6 })
      service.target(id).comesBack()
      await service.advance({ seconds: 6 })
    }
    service.target('m4').goesDown('HTTP 503')
    await service.advance({ seconds: 130 })
    const times = service.providers.deliveries
      .filter(({ notification }) => notification.page?.stage === 'step')
      .map(({ atMs }) => atMs)
    expect(times.length).toBeGreaterThan(1)
    for (const [index, at] of times.entries())
      if (index > 0) expect(at - times[index - 1]!).toBeGreaterThanOrEqual(60_000)
  })
})

describe('quiet hours', () => {
  const quiet = { hours: '23:00-00:10', severities: ['warning' as const] }
  const warning = monitor('edge', { notify: {}, severity: 'warning' })
  const night = (parts: object = {}) =>
    head(
      { steps, quiet: { ...quiet, ...parts } },
      { people: { ana: { endpoints: ['ana-push'], timezone: 'UTC' } } },
    )

  it('hold a page until their end, for that person only: other recipients and waits go on', async () => {
    const service = await failing(night(), [warning])
    expect(paged(service)).toEqual([])
    await service.advance({ seconds: 301 })
    expect(paged(service)).toEqual(['0s lead-1: step', '0s lead-2: step'])
    await service.advance({ seconds: 300 })
    expect(service.providers.deliveries.at(-1)).toMatchObject({ endpoint: 'ana-push' })
    expect(new Date(service.providers.deliveries.at(-1)!.atMs).toISOString()).toMatch(/T00:10:00/)
  })

  it('do not hold what is more severe', async () => {
    const service = await failing(night(), [monitor('edge', { notify: {} })])
    expect(paged(service)).toEqual(['0s ana-push: step'])
  })

  it('drop a page where they say so', { tags: 'long' }, async () => {
    const drops = JSON.parse('{ "then": "drop" }')
    const service = await failing(night(drops), [warning])
    await service.advance({ seconds: 700 })
    expect(paged(service)).toEqual(['0s lead-1: step', '0s lead-2: step'])
    expect(await phases(service)).toContain('dropped')
  })

  it('are in the zone of the person, else of the schedule, else UTC', async () => {
    const zones = (person: string | undefined, schedule: string | undefined): FleetHead =>
      head(
        { quiet },
        {
          people: { ana: { endpoints: ['ana-push'], ...(person && { timezone: person }) } },
          schedules: { primary: { layers: [always], ...(schedule && { timezone: schedule }) } },
        },
      )
    const isTold = async (fleet: FleetHead) => paged(await failing(fleet, [warning])).length > 0
    expect(await isTold(zones('Asia/Tokyo', 'UTC'))).toBe(true)
    expect(await isTold(zones(undefined, 'Asia/Tokyo'))).toBe(true)
    expect(await isTold(zones(undefined, undefined))).toBe(false)
  })

  it('tell what recovered meanwhile in one message at their end', async () => {
    const service = await started(night(), [warning])
    for (let count = 0; count < 2; count++) {
      service.target('edge').goesDown('HTTP 503')
      await service.advance({ seconds: 6 })
      service.target('edge').comesBack()
      await service.advance({ seconds: 70 })
    }
    expect(paged(service)).toEqual([])
    await service.advance({ seconds: 480 })
    expect(paged(service)).toEqual(['0s ana-push: missed'])
    expect(service.providers.deliveries[0]!.notification.page).toMatchObject({ monitors: 2 })
  })
})

describe('a restart', () => {
  it('sends no step twice and loses none', async () => {
    const service = await failing()
    await service.restart()
    await service.advance({ seconds: 301 })
    expect(paged(service)).toEqual(['0s ana-push: step', '300s lead-1: step', '300s lead-2: step'])
    service.target('edge').comesBack()
    await service.advance({ seconds: 6 })
    expect(paged(service).filter((one) => one.endsWith('ended'))).toHaveLength(3)
  })

  it('goes to the next endpoint if the answer of the first was lost with the process', async () => {
    const service = await started()
    service.providers.latencyMs = 20_000
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    service.providers.latencyMs = 20
    await service.restart()
    await service.advance({ seconds: 6 })
    expect(paged(service)).toEqual(['0s ana-push: step', expect.stringMatching(/ana-phone: step$/)])
  })

  it('fires a step that came due meanwhile only when a check has failed again', async () => {
    const service = await failing()
    service.target('edge').comesBack()
    await service.restart(undefined, { offSeconds: 400 })
    await service.advance({ seconds: 20 })
    expect(paged(service).map((one) => one.replace(/^\d+s /, ''))).toEqual([
      'ana-push: step',
      'ana-push: ended',
    ])
  })
})

describe('providers with an escalation of their own', () => {
  const pager = { 'our-pager': { type: 'pagerduty', config: { routing_key: 'k'.repeat(32) } } }
  const owned = (parts: Partial<Policy>) => {
    const notify = [{ endpoint: 'our-pager' }]
    const plain = head({ steps: [{ notify, wait: '1m' }, { notify: [{ group: 'leads' }] }], ...parts })
    return { ...plain, endpoints: { ...plain.endpoints, ...pager } }
  }

  it('take over where a step reached nothing else', async () => {
    const service = await failing(owned({}))
    await service.advance({ seconds: 120 })
    expect(paged(service)).toEqual(['0s our-pager: step'])
  })

  it('do not with escalate_owned', async () => {
    const service = await failing(owned({ escalate_owned: true }))
    await service.advance({ seconds: 120 })
    expect(paged(service)).toEqual(['0s our-pager: step', '60s lead-1: step', '60s lead-2: step'])
  })
})

describe('a reason', () => {
  const recorded = async (service: TestService) => {
    const { actions } = await service.store.recover(1e9)
    const ofActions = actions.flatMap(({ because, delay, endedBecause }) => [because, delay, endedBecause])
    const ofEvents = (await service.events()).map(({ because }) => because)
    return new Set([...ofActions, ...ofEvents].map((because) => because?.kind))
  }

  it('of a page that restarts, is paused and ends is recorded', async () => {
    const service = await failing()
    service.providers.latencyMs = 60_000
    await service.advance({ seconds: 301 })
    await control(service, 'snooze')
    await control(service, 'unsnooze')
    service.target('edge').comesBack()
    await service.advance({ seconds: 6 })
    const kinds = ['policy_step', 'page_paused', 'page_restarted', 'page_ended']
    for (const kind of kinds) expect((await recorded(service)).has(kind as never), kind).toBe(true)
  })

  it('of a page that waits for its minute, or for the end of quiet hours, is recorded', async () => {
    const bell = {
      steps: [{ notify: [{ person: 'ana' }] }],
      quiet: { hours: '23:00-01:00', severities: ['warning' as const] },
    }
    const service = await started(head(bell), [
      monitor('a', { notify: {}, severity: 'warning' }),
      monitor('b', { notify: {} }),
    ])
    service.target('a').goesDown('HTTP 503')
    await service.advance({ seconds: 70 })
    for (let count = 0; count < 2; count++) {
      service.target('b').goesDown('HTTP 503')
      await service.advance({ seconds: 6 })
      service.target('b').comesBack()
      await service.advance({ seconds: 6 })
    }
    const kinds = await recorded(service)
    expect([kinds.has('quiet_hours'), kinds.has('paged_recently')]).toEqual([true, true])
  })

  it('is recorded with every action and event of a page', async () => {
    const service = await started()
    const { outcomeOf } = service.providers
    service.providers.outcomeOf = (one) =>
      one.endpoint === 'ana-push' ? rejected('HTTP 400') : outcomeOf(one)
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    const events = (await service.events()).filter(({ type }) => type === 'action_queued')
    expect(events.map(({ endpoint, because }) => [endpoint, because])).toEqual([
      ['ana-push', { kind: 'policy_step', policy: 'page', round: 1, step: 1 }],
      ['ana-phone', { kind: 'next_endpoint', policy: 'page', endpoint: 'ana-push', why: 'failed' }],
    ])
  })
})
