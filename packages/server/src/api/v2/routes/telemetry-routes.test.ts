import { pipelines, systemNames, type v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { serveNext } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'

describe('the figures of the controller in v2', () => {
  it('are three queues, three pools and the stages, each list whole in a page', async () => {
    const service = await TestService.start({ monitors: [http('a')] })
    await service.advance({ seconds: 30 })
    await using next = await serveNext(service)
    const queues = await expectV2Answer('GetQueues', await next.call('GetQueues'))
    const pools = await expectV2Answer('GetPools', await next.call('GetPools'))
    const systems = await expectV2Answer('GetSystems', await next.call('GetSystems'))
    expect(queues.items.map(({ name }) => name)).toEqual([...pipelines])
    expect(pools.items.map(({ name }) => name)).toEqual([...pipelines])
    expect(systems.items.map(({ name }) => name).sort()).toEqual([...systemNames].sort())
    for (const list of [queues, pools, systems]) expect(list).not.toHaveProperty('nextCursor')
    expect(queues.items[0]).toMatchObject({
      depth: 0,
      saturated: false,
      oldestPendingMs: { available: false, reason: 'nothing is waiting' },
    })
    expect(queues.items[0]?.capacity).toBeGreaterThan(0)
    expect(systems.items.find(({ name }) => name === 'schedule')).toMatchObject({
      lastUpdateDurationMs: { available: true },
    })
    expect(pools.items[0]?.workers).toBeGreaterThanOrEqual(pools.items[0]?.minimum ?? 0)
  })

  it('go on by a cursor where fewer rows are asked for, and take no other cursor', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    const names: string[] = []
    for (let query: string | null = '?limit=1'; query !== null; ) {
      const page: v2.QueueList = await expectV2Answer('GetQueues', await next.call('GetQueues', { query }))
      const { items, nextCursor } = page
      expect(items).toHaveLength(1)
      names.push(...items.map(({ name }) => name))
      query = nextCursor === undefined ? null : `?limit=1&cursor=${nextCursor}`
    }
    expect(names).toEqual([...pipelines])
    for (const name of ['GetQueues', 'GetPools', 'GetSystems'] as const) {
      const foreign = await next.call(name, { query: '?cursor=bm90aGluZw' })
      await expectV2Problem(name, foreign, 'invalidCursor')
      const filtered = await next.call(name, { query: '?monitorID=a' })
      await expectV2Problem(name, filtered, 'unsupportedFilter')
    }
  })

  it('say how punctual the checks of each driver were', async () => {
    const service = await TestService.start({ monitors: [http('a'), http('b')] })
    await service.advance({ seconds: 60 })
    await using next = await serveNext(service)
    const { window, coverageGap, reports } = await expectV2Answer('GetSLO', await next.call('GetSLO'))
    expect([window, coverageGap]).toEqual(['5m', true])
    const [report] = reports
    expect(report).toMatchObject({
      pipeline: 'pulse',
      driver: 'http',
      condition: 'insufficient_observations',
    })
    expect(report?.samples).toBeGreaterThan(8)
    expect(report?.totalThresholdPassed).toBe(report?.samples)
    expect(report?.attainment).toEqual({ available: true, value: 1 })
    expect(report?.queueDelay).toMatchObject({ available: true })
  })

  it('come all at once from metrics', async () => {
    const service = await TestService.start({ monitors: [http('a')] })
    await service.advance({ seconds: 30 })
    await using next = await serveNext(service)
    const metrics = await expectV2Answer('GetMetrics', await next.call('GetMetrics'))
    const queues = await expectV2Answer('GetQueues', await next.call('GetQueues'))
    const pools = await expectV2Answer('GetPools', await next.call('GetPools'))
    expect(metrics.queues).toEqual(queues.items)
    expect(metrics.pools).toEqual(pools.items)
    expect(metrics.slo).toEqual(await expectV2Answer('GetSLO', await next.call('GetSLO')))
    expect(metrics.systems?.map(({ name }) => name).sort()).toEqual([...systemNames].sort())
  })
})
