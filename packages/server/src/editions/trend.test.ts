// Trends over HTTP, in the editions that have them: what was counted and nothing else, over restarts; what is not known is
// null or left out, never a zero.
import type { Trend } from '@pulseward/contract'
import { expectV1Answer, expectV1Problem } from '@pulseward/testing/api'
import { type ServedEdition, serveEdition, serveNext } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it, onTestFinished } from 'vitest'

type Name = 'candidate' | 'next'

const monitors = [http('edge'), http('shop')]

async function serving(edition: Name, options: Partial<Parameters<typeof TestService.start>[0]> = {}) {
  const service = await TestService.start({ monitors, ...options })
  return { service, served: await servedBy(edition, service) }
}

async function servedBy(edition: Name, service: TestService): Promise<Pick<ServedEdition, 'get'>> {
  const served = edition === 'next' ? await serveNext(service) : await serveEdition(edition, service)
  onTestFinished(() => served[Symbol.asyncDispose]())
  return served
}

const trendOf = async (edition: Name, { get }: Pick<ServedEdition, 'get'>, id: number, query = '') =>
  expectV1Answer('GetMonitorTrend', edition, await get(`monitors/${id}/trend${query}`))
const trendOfAll = async (edition: Name, { get }: Pick<ServedEdition, 'get'>, query = '') =>
  expectV1Answer('GetTrend', edition, await get(`trend${query}`))

const recentOf = async (edition: Name, { get }: Pick<ServedEdition, 'get'>, ids: string) =>
  expectV1Answer('GetRecentTrends', edition, await get(`trends/recent?ids=${ids}`))

const samplesIn = ({ cells }: Trend) => cells.reduce((sum, { samples }) => sum + samples, 0)
const healthyIn = ({ cells }: Trend) => cells.reduce((sum, { healthy }) => sum + healthy, 0)

/** The editions share trends: `npm test` tries them in one. */
describe.each(['next'] as const)('trends in the edition %s', trendsIn)
describe.each(['candidate'] as const)('trends in the edition %s', { tags: 'long' }, trendsIn)

function trendsIn(edition: 'candidate' | 'next'): void {
  it('tell what was counted in each cell, and which incidents there were', async () => {
    const { service, served } = await serving(edition)
    await service.advance({ seconds: 320 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 90 })
    service.target('edge').comesBack()
    await service.advance({ seconds: 220 })
    const edge = await trendOf(edition, served, 1)
    expect(edge).toMatchObject({ window: '24h', cell_seconds: 300, complete: false })
    expect(edge.cells.map(({ at }) => at)).toEqual(
      ['00:00', '00:05', '00:10'].map((time) => `2026-01-01T${time}:00.000Z`),
    )
    const { checks } = service.target('edge')
    // What was counted since the last checkpoint is not shown yet.
    expect(samplesIn(edge)).toBeLessThanOrEqual(checks)
    expect(samplesIn(edge)).toBeGreaterThanOrEqual(checks - 2)
    expect(edge.cells.map(({ samples, healthy }) => samples - healthy)).toEqual([0, expect.any(Number), 0])
    const failed = samplesIn(edge) - healthyIn(edge)
    expect(failed).toBeGreaterThanOrEqual(9)
    expect(edge.availability).toBe(healthyIn(edge) / samplesIn(edge))
    expect(new Set(edge.cells.map(({ p50_ms, p95_ms }) => `${p50_ms} ${p95_ms}`))).toEqual(
      new Set(['4.76 4.76']),
    )
    expect(edge.incidents).toHaveLength(1)
    expect(edge.incidents[0]?.closed_at).toMatch(/^2026-01-01T00:0/)

    const shop = await trendOf(edition, served, 2)
    expect([shop.availability, shop.incidents]).toEqual([1, []])
    const all = await trendOfAll(edition, served)
    expect(all.incidents).toEqual(edge.incidents)
    expect(Math.abs(samplesIn(all) - samplesIn(edge) - samplesIn(shop))).toBeLessThanOrEqual(4)
    for (const [window, seconds] of [
      ['7d', 3_600],
      ['30d', 3_600],
      ['90d', 86_400],
    ] as const) {
      const wide = await trendOf(edition, served, 1, `?window=${window}`)
      expect([wide.window, wide.cell_seconds, wide.cells.length]).toEqual([window, seconds, 1])
      expect([samplesIn(wide), healthyIn(wide)]).toEqual([samplesIn(edge), healthyIn(edge)])
    }
  })

  it('show an incident that is open without an end, and no latency where nothing was healthy', async () => {
    const { service, served } = await serving(edition)
    service.target('edge').goesDown()
    await service.advance({ seconds: 100 })
    const trend = await trendOf(edition, served, 1)
    expect(trend.cells).toEqual([
      { at: '2026-01-01T00:00:00.000Z', samples: expect.any(Number), healthy: 0, p50_ms: null, p95_ms: null },
    ])
    expect([trend.availability, trend.incidents.map(({ closed_at }) => closed_at)]).toEqual([0, [null]])
  })

  it('count nothing twice and lose nothing that was shown when the process is killed', {
    tags: 'long',
  }, async () => {
    const { service } = await serving(edition)
    let shown = 0
    for (const seconds of [45, 130, 3, 200, 61]) {
      await service.advance({ seconds })
      await service.restart()
      const trend = await trendOf(edition, await servedBy(edition, service), 1)
      expect(samplesIn(trend)).toBeGreaterThanOrEqual(shown)
      expect(samplesIn(trend)).toBeLessThanOrEqual(service.target('edge').checks)
      shown = samplesIn(trend)
    }
    // Up to a round of checkpoints is lost with each process.
    expect(shown).toBeGreaterThanOrEqual(service.target('edge').checks - 5 * 2)
  })

  it('are unknown before anything was counted, and where trends are off', async () => {
    const { service, served } = await serving(edition, { settings: { trends: 'off' } })
    await service.advance({ seconds: 60 })
    for (const trend of [await trendOf(edition, served, 1), await trendOfAll(edition, served)])
      expect(trend).toMatchObject({ cells: [], availability: null, incidents: [], complete: false })
  })

  it('tell the maintenance windows of the monitor, and none for the fleet', async () => {
    const maintenance = [{ start: '2026-01-01T00:02:00Z', end: '2026-01-01T00:04:00Z' }]
    const { service, served } = await serving(edition, {
      monitors: [{ ...http('edge'), maintenance }, http('shop')],
    })
    await service.advance({ seconds: 60 })
    expect((await trendOf(edition, served, 1)).maintenance).toEqual([])
    await service.advance({ seconds: 120 })
    const [edge, shop] = [await trendOf(edition, served, 1), await trendOf(edition, served, 2)]
    expect(edge.maintenance).toEqual([
      { begins_at: '2026-01-01T00:02:00.000Z', ends_at: '2026-01-01T00:04:00.000Z' },
    ])
    expect([shop.maintenance, (await trendOfAll(edition, served)).maintenance]).toEqual([[], null])
  })

  it('tell the last cells of several monitors at once, as the trend of each does', {
    tags: 'long',
  }, async () => {
    const { service, served } = await serving(edition)
    service.target('edge').goesDown()
    await service.advance({ seconds: 700 })
    const recent = await recentOf(edition, served, '2,4711,1,2')
    expect([recent.cell_seconds, recent.begins_at]).toEqual([300, '2025-12-31T21:15:00.000Z'])
    expect(recent.monitors.map(({ id }) => id)).toEqual([2, 1])
    for (const { id, samples, healthy, p50_ms } of recent.monitors) {
      const { cells } = await trendOf(edition, served, id)
      expect(samples.slice(-3)).toEqual(cells.map((cell) => cell.samples))
      expect(healthy.slice(-3)).toEqual(cells.map((cell) => cell.healthy))
      expect(p50_ms.slice(-3)).toEqual(cells.map((cell) => cell.p50_ms))
      expect(samples.slice(0, -3).every((count) => count === 0)).toBe(true)
      expect(p50_ms.slice(0, -3).every((latency) => latency === null)).toBe(true)
    }
    await service.restart()
    const again = await recentOf(edition, await servedBy(edition, service), '1')
    expect(again.monitors[0]?.samples).toEqual(recent.monitors[1]?.samples)
  })

  it('refuse numbers that are none, and more monitors than one answer has', async () => {
    const { served } = await serving(edition)
    const tooMany = Array.from({ length: 101 }, (_, id) => id).join(',')
    for (const ids of ['', 'x', '1,', '1,-2', '1 2', '1.5', '4294967296', '%00', tooMany, '1&ids=2']) {
      const answer = await served.get(`trends/recent?ids=${ids}`)
      const problem = await expectV1Problem('GetRecentTrends', edition, answer)
      expect(problem).toMatchObject({ code: 'invalid_parameter', errors: [{ field: 'ids' }] })
    }
    const words = await expectV1Problem('GetRecentTrends', edition, await served.get('trends/recent?ids=a'))
    expect(words.detail).toBe(
      'The parameter ids must be the numbers of monitors with commas between them, such as 1,2,3.',
    )
    const none = await expectV1Answer('GetRecentTrends', edition, await served.get('trends/recent'))
    expect(none.monitors).toEqual([])
  })

  it('have cells of an hour where they are light', async () => {
    const { service, served } = await serving(edition, { settings: { trends: 'light' } })
    await service.advance({ seconds: 60 })
    const trend = await trendOf(edition, served, 1, '?window=24h')
    expect([trend.cell_seconds, trend.cells.length]).toEqual([3_600, 1])
    expect((await recentOf(edition, served, '1')).cell_seconds).toBe(3_600)
  })

  it('go on after a monitor has left and come back, without what was being filled', async () => {
    const { service, served } = await serving(edition)
    await service.advance({ seconds: 400 })
    const before = await trendOf(edition, served, 1)
    await service.reload({ monitors: [http('shop')] })
    expect((await served.get('monitors/1/trend')).status).toBe(404)
    await service.advance({ seconds: 30 })
    await service.reload({ monitors })
    await service.advance({ seconds: 30 })
    const after = await trendOf(edition, served, 1)
    expect(after.cells[0]).toEqual(before.cells[0])
    expect(after.cells[1]?.samples).toBeLessThanOrEqual(4)
  })

  it('refuse a window that there is not, and have no monitor that nobody knows', async () => {
    const { served } = await serving(edition)
    for (const query of ['window=2h', 'window=', 'window=24H', 'window=7d&window=7d', 'window=%00'])
      for (const [name, path] of [
        ['GetTrend', 'trend'],
        ['GetMonitorTrend', 'monitors/1/trend'],
      ] as const) {
        const problem = await expectV1Problem(name, edition, await served.get(`${path}?${query}`))
        expect(problem).toMatchObject({ code: 'invalid_parameter', errors: [{ field: 'window' }] })
      }
    for (const [id, code] of [
      ['0', 'monitor_not_found'],
      ['4711', 'monitor_not_found'],
      ['x', 'invalid_monitor_id'],
      ['-1', 'invalid_monitor_id'],
    ] as const) {
      const answer = await served.get(`monitors/${id}/trend`)
      expect((await expectV1Problem('GetMonitorTrend', edition, answer)).code).toBe(code)
    }
  })

  it('are unavailable, and not empty, when the store cannot be read', async () => {
    const { service, served } = await serving(edition)
    await service.advance({ seconds: 60 })
    await service.store[Symbol.asyncDispose]()
    expect((await expectV1Problem('GetTrend', edition, await served.get('trend'))).code).toBe('unavailable')
    const ofOne = await served.get('monitors/1/trend')
    expect((await expectV1Problem('GetMonitorTrend', edition, ofOne)).code).toBe('unavailable')
    const ofSome = await served.get('trends/recent?ids=1')
    expect((await expectV1Problem('GetRecentTrends', edition, ofSome)).code).toBe('unavailable')
  })
}
