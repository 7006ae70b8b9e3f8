// Hand-overs of schedules, over the whole service: who is told, what, and that no process tells it again. The clock begins at
// midnight UTC on Thursday, 1 January 2026.
import { TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { FleetHead } from './config/fleet-file/schema.ts'
import { facts, headline } from './notify/driver/wording.ts'

const log = { type: 'log', config: {} }
const head = (handoff: boolean): FleetHead => ({
  endpoints: { 'ana-push': log, 'bo-push': log },
  people: { ana: { name: 'Ana Berg', endpoints: ['ana-push'] }, bo: { endpoints: ['bo-push'] } },
  schedules: {
    primary: { layers: [{ people: ['ana', 'bo'], every: '1h', start: '2026-01-01T00:00' }], handoff },
  },
})
const start = (handoff = true) =>
  TestService.start({
    monitors: [],
    head: head(handoff),
    stepMs: 1_000,
    wallMs: Date.parse('2026-01-01T00:00Z'),
  })

const told = ({ providers: { deliveries } }: TestService) =>
  deliveries.map(({ endpoint, notification }) => `${endpoint}: ${headline(notification)}`)

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

  it('is not told unless the schedule says so', async () => {
    const service = await start(false)
    await service.advance({ seconds: 3_620 })
    expect(told(service)).toEqual([])
  })
})
