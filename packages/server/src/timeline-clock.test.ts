// Whole-service timelines of a clock that jumps: people and time servers set it, and a suspended machine shows as
// nothing else. Times that are shown follow the clock; waits and judgements do not notice.
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'

const hourMs = 3_600_000
const head = endpoints('ops')
const watched = { ...http('edge'), notify: { red: { endpoints: ['ops'] }, green: { endpoints: ['ops'] } } }

async function started(monitors: Parameters<typeof TestService.start>[0]['monitors'] = [watched]) {
  const service = await TestService.start({ monitors, head })
  await service.advance({ seconds: 11 })
  return service
}

describe('a clock that jumps', () => {
  it.each([8 * hourMs, -8 * hourMs])('stamps what happens from then on: %d ms', async (jumpMs) => {
    const service = await started()
    service.clock.jumpWall(jumpMs)
    await service.advance({ seconds: 1 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 31 })
    const opened = (await service.events('edge')).find(({ type }) => type === 'incident_opened')
    const wallMs = service.clock.wallMs()
    expect(opened!.at).toBeGreaterThan(wallMs - 32_000)
    expect(opened!.at).toBeLessThanOrEqual(wallMs)
    const [{ notification }] = service.providers.deliveries as [(typeof service.providers.deliveries)[0]]
    expect(notification.atMs).toBeGreaterThan(wallMs - 32_000)
    expect(notification.atMs).toBeLessThanOrEqual(wallMs)
  })

  it('is followed also when it goes by small steps', async () => {
    const service = await started()
    for (let step = 0; step < 10; step++) {
      service.clock.jumpWall(900)
      await service.advance({ seconds: 1 })
    }
    expect(Math.abs(service.parts.time.now() - service.clock.wallMs())).toBeLessThanOrEqual(1_000)
  })

  it('does not count a check that a suspended machine was caught in against its target', async () => {
    const service = await started()
    service.target('edge').hangs()
    const checks = service.target('edge').checks
    while (service.target('edge').checks === checks) await service.advance({ ms: 10 })
    service.clock.jumpWall(8 * hourMs)
    await service.advance({ seconds: 10 })
    expect(service.statusOf('edge')).toBe('unknown')
    service.target('edge').comesBack()
    await service.advance({ seconds: 11 })
    expect(service.statusOf('edge')).toBe('up')
    expect((await service.events()).map(({ type }) => type)).toContain('own_fault')
  })

  it.each([hourMs, -hourMs])('lets the next process know who was told: %d ms', async (jumpMs) => {
    const service = await started()
    service.target('edge').goesDown()
    await service.advance({ seconds: 31 })
    service.clock.jumpWall(jumpMs)
    await service.advance({ seconds: 1 })
    await service.restart()
    service.target('edge').comesBack()
    await service.advance({ seconds: 31 })
    expect(service.told).toEqual(['edge red → ops', 'edge green → ops'])
  })

  it.each([hourMs, -hourMs])('shortens and lengthens no cooldown: %d ms', async (jumpMs) => {
    const service = await started()
    const fails = async () => {
      service.target('edge').goesDown()
      await service.advance({ seconds: 31 })
    }
    await fails()
    service.target('edge').comesBack()
    await service.advance({ seconds: 31 })
    await fails()
    expect(service.told).toEqual(['edge red → ops', 'edge green → ops'])
    service.clock.jumpWall(jumpMs)
    await service.advance({ seconds: 180 })
    expect(service.told).toEqual(['edge red → ops', 'edge green → ops'])
    await service.advance({ seconds: 60 })
    expect(service.told).toEqual(['edge red → ops', 'edge green → ops', 'edge red → ops'])
  })

  it.each([hourMs, -hourMs])('lets a child still wait for the check of its parent: %d ms', async (jumpMs) => {
    const parent = { ...watched, id: 'gateway', name: 'gateway' }
    const child = { ...watched, id: 'shop', name: 'shop', depends_on: ['gateway'] }
    const check = { ...watched.check, unhealthy_threshold: 1 }
    const service = await started([
      { ...parent, check: { ...check, interval: '30s' } },
      { ...child, check },
    ])
    service.clock.jumpWall(jumpMs)
    await service.advance({ seconds: 60 })
    const checks = service.target('gateway').checks
    while (service.target('gateway').checks === checks) await service.advance({ ms: 10 })
    await service.advance({ seconds: 5 })
    service.target('gateway').goesDown()
    service.target('shop').goesDown()
    await service.advance({ seconds: 40 })
    expect(service.told).toEqual(['gateway red → ops'])
  })

  it('lets a child wait for its parent also when the last check of it was by a clock that was ahead', async () => {
    const check = { ...watched.check, unhealthy_threshold: 1 }
    const service = await started([
      { ...watched, id: 'gateway', name: 'gateway', check: { ...check, interval: '30m' } },
      { ...watched, id: 'shop', name: 'shop', check, depends_on: ['gateway'] },
    ])
    await service.advance({ seconds: 40 })
    service.clock.jumpWall(-hourMs)
    await service.restart()
    service.target('shop').goesDown()
    await service.advance({ seconds: 60 })
    expect([service.statusOf('shop'), service.told]).toEqual(['down', []])
  })
})
