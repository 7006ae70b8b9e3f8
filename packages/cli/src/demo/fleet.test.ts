import { loadFleetFiles, monitorsOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { fleetChunks, fleetHead, type Ports } from './fleet.ts'
import type { World } from './life.ts'

const ports: Ports = {
  http: [8001, 8002],
  tcp: [8003],
  dns: 8004,
  racks: [8005, 8006, 8007, 8008],
  inbox: 8009,
}

function linesOf(world: World): string {
  return [...fleetChunks(world, ports)].join('')
}

interface Monitor {
  id: string
  depends_on?: string[]
  tags: string[]
  check: { type: string; interval: string; config: { url?: string } }
  recovery?: { config: { url: string } }
  maintenance?: { cron: string; duration: string }[]
}

function monitorsIn(world: World): Monitor[] {
  return linesOf(world)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('the fleet of a demo', () => {
  it('is the same to the byte for the same seed, and another for another', () => {
    const world = { seed: 3, monitors: 6_000 }
    expect(linesOf({ ...world })).toBe(linesOf(world))
    expect(linesOf({ ...world, seed: 4 })).not.toBe(linesOf(world))
  })

  it.each([1, 3, 5, 200, 5_001])('is a right fleet of %i monitors', async (monitors) => {
    const world = { seed: 1, monitors }
    const files = { 'fleet.yaml': fleetHead(world, ports), 'monitors.ndjson': linesOf(world) }
    const { definition } = await loadFleetFiles(files)
    expect(definition.count).toBe(monitors)
    expect(monitorsOf(definition)[0]).toMatchObject({ id: 'edge-rack-1', tags: ['edge'] })
  })

  it('has every area and every kind of check', () => {
    const monitors = monitorsIn({ seed: 1, monitors: 500 })
    expect(new Set(monitors.flatMap(({ tags }) => tags))).toEqual(
      new Set(['payments', 'search', 'mail', 'edge', 'ledger', 'catalog', 'batch']),
    )
    expect(new Set(monitors.map(({ check }) => check.type))).toEqual(new Set(['http', 'tcp', 'dns']))
  })

  it('lets exactly those in a rack depend on its gateway', () => {
    const monitors = monitorsIn({ seed: 1, monitors: 2_000 }).slice(ports.racks.length)
    const racked = monitors.filter(({ depends_on }) => depends_on !== undefined)
    expect(racked.length / monitors.length).toBeGreaterThan(0.05)
    expect(racked.length / monitors.length).toBeLessThan(0.12)
    for (const { depends_on, check } of monitors) {
      const rack = ports.racks.findIndex((port) => check.config.url?.includes(`:${port}/`))
      expect(depends_on).toEqual(rack === -1 ? undefined : [`edge-rack-${rack + 1}`])
    }
  })

  it('tells the chat of everything, and the pager of the first tier', async () => {
    const world = { seed: 1, monitors: 200 }
    const files = { 'fleet.yaml': fleetHead(world, ports), 'monitors.ndjson': linesOf(world) }
    const { definition } = await loadFleetFiles(files)
    expect([...definition.endpoints.keys()]).toEqual(['team-chat', 'on-call-pager'])
    expect(definition.routes.map(({ match }) => match)).toEqual([{}, { tier: '1' }])
    expect(monitorsOf(definition)[4]?.id).toBe('demo-inbox')
  })

  it('has restarts outside the racks, and a window of maintenance that is open at any time', () => {
    const monitors = monitorsIn({ seed: 609, monitors: 200 })
    const restartable = monitors.filter(({ recovery }) => recovery !== undefined)
    expect(restartable.length).toBeGreaterThan(20)
    for (const { depends_on, id, recovery } of restartable) {
      expect(depends_on).toBeUndefined()
      expect(recovery?.config.url).toBe(`http://127.0.0.1:8009/restart/${id.split('-').at(-1)}`)
    }
    const halves = monitors.flatMap(({ maintenance = [] }) => maintenance.map(({ cron }) => cron))
    expect(new Set(halves)).toEqual(new Set(['0 * * * *', '30 * * * *']))
  })

  it('tells nobody about a large fleet, which is for looking at size', () => {
    const world = { seed: 1, monitors: 1_001 }
    expect(fleetHead(world, ports)).not.toContain('endpoints')
    expect(monitorsIn(world).filter(({ recovery, maintenance }) => recovery ?? maintenance)).toEqual([])
  })

  it.each([
    [200, 25],
    [20_000, 2_500],
    [100_000, 2_500],
  ])('asks of %i monitors no more than %i checks per second', (monitors, most) => {
    const perSecond = monitorsIn({ seed: 1, monitors }).reduce(
      (sum, { check }) => sum + 1 / Number.parseInt(check.interval, 10),
      0,
    )
    expect(perSecond).toBeLessThan(most)
    expect(perSecond).toBeGreaterThan(most / 2)
  })
})
