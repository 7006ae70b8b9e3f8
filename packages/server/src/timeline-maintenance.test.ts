// What destinations hear of a maintenance window, over time: that it begins, and that it has ended.
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import { sentence } from './notify/driver/wording.ts'
import { retry } from './platform/action-outcome.ts'

const head = endpoints('ops')
const notify = { gray: { endpoints: ['ops'] } }
const window = { start: '2026-01-01T00:02:00Z', end: '2026-01-01T00:12:00Z' }
const named = { ...window, name: 'Database move' }
const until = '2026-01-01 00:12:00 UTC'

const started = (...maintenance: readonly object[]) =>
  TestService.start({ monitors: [{ ...http('edge'), notify, maintenance: [...maintenance] }], head })
const said = (service: TestService) =>
  service.providers.deliveries.map(({ notification }) => sentence(notification))

describe('a maintenance window', () => {
  it('is told with its name when it begins and when it has ended', async () => {
    const service = await started(named)
    await service.advance({ seconds: 121 })
    expect(said(service)).toEqual([`Maintenance "Database move" of edge begins, until ${until}`])
    await service.advance({ seconds: 600 })
    expect(said(service).at(-1)).toBe('Maintenance "Database move" of edge has ended')
    expect(said(service)).toHaveLength(2)
  })

  it('is told without a name where it has none', { tags: 'long' }, async () => {
    const service = await started(window)
    await service.advance({ seconds: 730 })
    expect(said(service)).toEqual([
      `Maintenance of edge begins, until ${until}`,
      'Maintenance of edge has ended',
    ])
  })

  it('keeps its name over a restart, and in the reasons of its notifications', async () => {
    const service = await started(named)
    await service.advance({ seconds: 300 })
    await service.restart()
    await service.advance({ seconds: 500 })
    expect(said(service).at(-1)).toBe('Maintenance "Database move" of edge has ended')
    const queued = (await service.events('edge')).filter(({ type }) => type === 'action_queued')
    expect(queued.map(({ because }) => because)).toEqual([
      { kind: 'maintenance', until: Date.parse(named.end), name: 'Database move' },
      { kind: 'maintenance_ended', name: 'Database move' },
    ])
  })

  it('is told by the window that lasts longest where several are open, and by the end of all of them', {
    tags: 'long',
  }, async () => {
    const longer = { start: '2026-01-01T00:01:00Z', end: '2026-01-01T00:22:00Z', name: 'New racks' }
    const service = await started({ ...named, start: longer.start }, longer)
    await service.advance({ seconds: 1400 })
    expect(said(service)).toEqual([
      'Maintenance "New racks" of edge begins, until 2026-01-01 00:22:00 UTC',
      'Maintenance "New racks" of edge has ended',
    ])
  })

  it('never begins in a message that comes after its end', async () => {
    const service = await started(named)
    const { outcomeOf } = service.providers
    service.providers.outcomeOf = () => retry('HTTP 503')
    await service.advance({ seconds: 725 })
    service.providers.outcomeOf = outcomeOf
    const tried = said(service).length
    await service.advance({ seconds: 900 })
    const taken = said(service).slice(tried)
    expect(taken.length).toBeGreaterThan(0)
    expect(new Set(taken)).toEqual(new Set(['Maintenance "Database move" of edge has ended']))
  })
})
