// Hand-overs of schedules, over the whole service: who is told, what, and that no process tells it again. The clock begins at
// midnight UTC on Thursday, 1 January 2026.
import { TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { FleetHead } from './config/fleet-file/schema.ts'
import { facts, headline } from './notify/driver/wording.ts'
import { gone, rejected, unknown } from './platform/action-outcome.ts'

const log = { type: 'log', config: {} }
const pager = { type: 'pagerduty', config: { routing_key: 'k'.repeat(32) } }
const names = ['ana-push', 'bo-push', 'bo-mail', 'bo-phone']
const head = (handoff: boolean, ofBo: string[]): FleetHead => ({
  endpoints: { pager, ...Object.fromEntries(names.map((name) => [name, log])) },
  people: { ana: { name: 'Ana Berg', endpoints: ['ana-push'] }, bo: { endpoints: ofBo } },
  schedules: {
    primary: { layers: [{ people: ['ana', 'bo'], every: '1h', start: '2026-01-01T00:00' }], handoff },
  },
})
const start = (handoff = true, ofBo = ['bo-push']) =>
  TestService.start({
    monitors: [],
    head: head(handoff, ofBo),
    stepMs: 1_000,
    wallMs: Date.parse('2026-01-01T00:00Z'),
  })

const told = ({ providers: { deliveries } }: TestService) =>
  deliveries.map(({ endpoint, notification }) => `${endpoint}: ${headline(notification)}`)

const toldTo = ({ providers: { deliveries } }: TestService) => deliveries.map(({ endpoint }) => endpoint)

describe('a hand-over', () => {
  it('is told to whoever takes over and whoever is relieved, at its minute', async () => {
    const service = await start()
    await service.advance({ seconds: 3_590 })
    expect(told(service)).toEqual([])
    await service.advance({ seconds: 20 })
    expect(told(service)).toEqual([
      'bo-push: You are on call by primary until 2026-01-01 02:00:00 UTC',
      'ana-push: You are no longer on call by primary: bo is',
    ])
    const [first] = service.providers.deliveries
    expect(facts(first!.notification)).toEqual([
      { label: 'Schedule', value: 'primary' },
      { label: 'On call', value: 'bo' },
      { label: 'Before', value: 'Ana Berg' },
      { label: 'Until', value: '2026-01-01 02:00:00 UTC' },
    ])
    await service.advance({ seconds: 3_590 })
    expect(told(service).slice(2)).toEqual([
      'ana-push: You are on call by primary until 2026-01-01 03:00:00 UTC',
      'bo-push: You are no longer on call by primary: Ana Berg is',
    ])
  })

  it('is not told again by the next process, and told late by it if none was running', async () => {
    const service = await start()
    await service.advance({ seconds: 3_620 })
    expect(told(service)).toHaveLength(2)
    await service.restart()
    await service.advance({ seconds: 60 })
    expect(told(service)).toHaveLength(2)
    await service.restart(undefined, { offSeconds: 3_600 })
    await service.advance({ seconds: 60 })
    expect(told(service).slice(2)).toEqual([
      'ana-push: You are on call by primary until 2026-01-01 03:00:00 UTC',
      'bo-push: You are no longer on call by primary: Ana Berg is',
    ])
  })

  it.each([
    ['fails', rejected('HTTP 400'), 'failed'],
    ['goes to an endpoint that is gone', gone('HTTP 410'), 'failed'],
    ['is unknown', unknown('no answer'), 'unknown'],
  ] as const)(
    'whose message %s is told on the next endpoint of that person, each once',
    async (_, outcome, why) => {
      const service = await start(true, ['pager', 'bo-push', 'bo-mail', 'bo-phone'])
      const { outcomeOf } = service.providers
      service.providers.outcomeOf = (one) =>
        /^bo-(push|mail)$/.test(one.endpoint) ? outcome : outcomeOf(one)
      await service.advance({ seconds: 3_660 })
      expect(toldTo(service)).toEqual(['bo-push', 'ana-push', 'bo-mail', 'bo-phone'])
      expect(
        new Set(told(service)).has('bo-phone: You are on call by primary until 2026-01-01 02:00:00 UTC'),
      ).toBe(true)
      const reasons = (await service.events())
        .filter(({ type, endpoint }) => type === 'action_queued' && endpoint?.startsWith('bo-'))
        .map(({ because }) => because)
      const next = (endpoint: string) => ({ kind: 'next_endpoint', schedule: 'primary', endpoint, why })
      expect(reasons).toEqual([{ kind: 'handover', schedule: 'primary' }, next('bo-push'), next('bo-mail')])
    },
  )

  it('whose answer was lost with the process is told on the next endpoint by the next one', async () => {
    const service = await start(true, ['bo-push', 'bo-mail'])
    service.providers.latencyMs = 60_000
    await service.advance({ seconds: 3_601 })
    service.providers.latencyMs = 20
    await service.restart()
    await service.advance({ seconds: 60 })
    expect(toldTo(service)).toEqual(['bo-push', 'ana-push', 'bo-mail'])
  })

  it('is not told unless the schedule says so', async () => {
    const service = await start(false)
    await service.advance({ seconds: 3_620 })
    expect(told(service)).toEqual([])
  })
})
