// Incidents and actions over HTTP, as people and their tools read them.
import type { v2 } from '@pulseward/contract'
import { expectV1Answer, expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { serveNext } from '@pulseward/testing/editions'
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import { emptyBatch } from '../../../store/record-types.ts'

const toOps = { red: { endpoints: ['ops'] } }
const day = 86_400

function fleet(...ids: string[]) {
  return { monitors: ids.map((id) => ({ ...http(id), notify: toOps })), head: endpoints('ops') }
}

async function fail(service: TestService, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    service.target(id).goesDown('HTTP 503')
    await service.advance({ seconds: 45 })
  }
}

async function heal(service: TestService, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    service.target(id).comesBack()
    await service.advance({ seconds: 35 })
  }
}

describe('the incidents of v2', () => {
  it('are open ones and closed ones, the newest first, with the ids that v1 shows', async () => {
    const service = await TestService.start(fleet('a', 'b', 'c'))
    await fail(service, 'a', 'b', 'c')
    await heal(service, 'b')
    await using next = await serveNext(service)
    const { items, nextCursor } = await expectV2Answer('ListIncidents', await next.call('ListIncidents'))
    expect(items.map(({ monitorID, state }) => [monitorID, state])).toEqual([
      ['c', 'open'],
      ['b', 'closed'],
      ['a', 'open'],
    ])
    expect(nextCursor).toBeUndefined()
    expect(items[0]).toMatchObject({
      revision: expect.stringMatching(/^1-/),
      dismissed: false,
      reason: 'HTTP 503',
    })
    expect(items[0]).not.toHaveProperty('closedAt')
    expect(Date.parse(items[1]?.closedAt ?? '')).toBeGreaterThan(Date.parse(items[1]?.openedAt ?? ''))
    const { incidents } = await expectV1Answer('ListIncidents', 'next', await next.get('incidents'))
    expect(incidents.map(({ incident_id: id }) => id).sort()).toEqual(
      items.flatMap(({ id, state }) => (state === 'open' ? [id] : [])).sort(),
    )
  })

  it('are those of one monitor when one is named, and none of a monitor that is not known', async () => {
    const service = await TestService.start(fleet('a', 'b'))
    await fail(service, 'a', 'b')
    await using next = await serveNext(service)
    const listed = async (monitor: string) =>
      (
        await expectV2Answer(
          'ListIncidents',
          await next.call('ListIncidents', { query: `?monitorID=${monitor}` }),
        )
      ).items
    expect((await listed('a')).map(({ monitorID }) => monitorID)).toEqual(['a'])
    expect(await listed('nobody')).toEqual([])
    const response = await next.call('ListIncidents', { query: '?selector=team' })
    await expectV2Problem('ListIncidents', response, 'unsupportedFilter')
  })

  it('are read page by page as they were at the first page', async () => {
    const service = await TestService.start(fleet('a', 'b', 'c', 'd'))
    await fail(service, 'a', 'b', 'c')
    await using next = await serveNext(service)
    const page = async (query: string) =>
      expectV2Answer('ListIncidents', await next.call('ListIncidents', { query }))
    const first = await page('?limit=2')
    expect(first.items.map(({ monitorID }) => monitorID)).toEqual(['c', 'b'])
    await heal(service, 'a')
    await fail(service, 'd')
    const second = await page(`?limit=2&cursor=${first.nextCursor}`)
    expect(second.items).toMatchObject([{ monitorID: 'a', state: 'open' }])
    expect(second).toMatchObject({ snapshot: first.snapshot })
    expect(second.nextCursor).toBeUndefined()
    expect((await page(`?limit=2&cursor=${first.nextCursor}`)).items).toEqual(second.items)
    expect((await page('')).items.map(({ monitorID, state }) => [monitorID, state])).toEqual([
      ['d', 'open'],
      ['c', 'open'],
      ['b', 'open'],
      ['a', 'closed'],
    ])
  })

  it('take a cursor only from whoever got it, for the same list', async () => {
    const service = await TestService.start(fleet('a', 'b'))
    await fail(service, 'a', 'b')
    await using next = await serveNext(service)
    const { nextCursor } = await expectV2Answer(
      'ListIncidents',
      await next.call('ListIncidents', { query: '?limit=1' }),
    )
    for (const [name, query, role] of [
      ['ListIncidents', `?limit=1&cursor=${nextCursor}`, 'operator'],
      ['ListIncidents', `?limit=2&cursor=${nextCursor}`, 'reader'],
      ['ListIncidents', `?limit=1&monitorID=a&cursor=${nextCursor}`, 'reader'],
      ['ListActions', `?limit=1&cursor=${nextCursor}`, 'reader'],
      ['GetQueues', `?limit=1&cursor=${nextCursor}`, 'reader'],
    ] as const)
      await expectV2Problem(name, await next.call(name, { query, role }), 'invalidCursor')
    service.sleep({ seconds: 301 })
    const late = await next.call('ListIncidents', { query: `?limit=1&cursor=${nextCursor}` })
    await expectV2Problem('ListIncidents', late, 'cursorExpired')
  })

  it('are read one by one, with their revision as entity tag', async () => {
    const service = await TestService.start(fleet('a'))
    await fail(service, 'a')
    await using next = await serveNext(service)
    const { items } = await expectV2Answer('ListIncidents', await next.call('ListIncidents'))
    const response = await next.call('GetIncident', { id: items[0]?.id ?? '' })
    expect(response.headers.get('etag')).toBe(`"${items[0]?.revision}"`)
    expect(await expectV2Answer('GetIncident', response)).toEqual(items[0])
    for (const id of ['nobody', '../state', '"><script>', 'ä'.repeat(100)])
      await expectV2Problem('GetIncident', await next.call('GetIncident', { id }), 'notFound')
  })

  it('stay for 30 days after they were closed, and for as long as they are open', async () => {
    const service = await TestService.start(fleet('a', 'b'))
    await fail(service, 'a', 'b')
    await heal(service, 'b')
    await using next = await serveNext(service)
    const listed = async () =>
      (await expectV2Answer('ListIncidents', await next.call('ListIncidents'))).items.map(
        ({ monitorID, state }) => `${monitorID} ${state}`,
      )
    const retain = async (days: number) => {
      for (let passed = 0; passed < days; passed++) {
        service.sleep({ seconds: day })
        await service.store.commit(emptyBatch)
        await service.store.retain(service.clock.wallMs(), 10_000)
      }
    }
    await retain(29)
    expect(await listed()).toEqual(['b closed', 'a open'])
    await retain(2)
    expect(await listed()).toEqual(['a open'])
  })
})

describe('the actions of v2', () => {
  const recovery = { type: 'webhook', settle: '1s', config: { url: 'http://runbooks.test/restart' } }

  it('are recoveries and notifications, the newest first, of all monitors or of one', async () => {
    const service = await TestService.start(fleet('a', 'b'))
    await fail(service, 'a', 'b')
    await using next = await serveNext(service)
    const list = async (query: string) =>
      (await expectV2Answer('ListActions', await next.call('ListActions', { query }))).items
    const all = await list('')
    expect(all.map(({ monitorID, kind, state, outcome }) => [monitorID, kind, state, outcome])).toEqual([
      ['b', 'code', 'succeeded', 'accepted'],
      ['a', 'code', 'succeeded', 'accepted'],
    ])
    expect(all[0]).toMatchObject({ reviewRevision: expect.stringMatching(/^1-/), held: false })
    expect(all[0]?.incidentID).toBeDefined()
    expect(await list('?monitorID=a')).toEqual([all[1]])
    const response = await next.call('GetAction', { id: all[1]?.id ?? '' })
    expect(response.headers.get('etag')).toBe(`"${all[1]?.reviewRevision}"`)
    expect(await expectV2Answer('GetAction', response)).toEqual(all[1])
    await expectV2Problem('GetAction', await next.call('GetAction', { id: 'nobody' }), 'notFound')
  })

  it('are read page by page without those that are queued meanwhile', async () => {
    const service = await TestService.start(fleet('a', 'b', 'c'))
    await fail(service, 'a', 'b')
    await using next = await serveNext(service)
    const page = async (query: string) =>
      expectV2Answer('ListActions', await next.call('ListActions', { query }))
    const first = await page('?limit=1')
    await fail(service, 'c')
    const second = await page(`?limit=1&cursor=${first.nextCursor}`)
    expect([...first.items, ...second.items].map(({ monitorID }) => monitorID)).toEqual(['b', 'a'])
    expect(second.nextCursor).toBeUndefined()
  })

  it('say which recovery with an unknown outcome holds back the next, until the monitor has recovered', async () => {
    const monitors = [{ ...http('a'), recovery }]
    const service = await TestService.start({ monitors, head: {} })
    service.providers.latencyMs = 3_600_000
    service.target('a').goesDown()
    await service.advance({ seconds: 35 })
    // The recovery is in flight, and its outcome will never be heard.
    await service.restart()
    service.providers.latencyMs = 20
    await service.advance({ seconds: 5 })
    const held = async () => {
      await using next = await serveNext(service)
      const { items } = await expectV2Answer('ListActions', await next.call('ListActions'))
      const state = await expectV2Answer('GetState', await next.call('GetState'))
      const shown = items.filter(({ kind }) => kind === 'intervention')
      // The oldest first: these wait longest for a review.
      expect(state.actions).toEqual(shown.filter((action) => action.state === 'unknown').reverse())
      expect(state.unknownActions).toBe(state.actions?.length)
      return shown.map((action): [v2.Action['state'], boolean | undefined] => [action.state, action.held])
    }
    expect(await held()).toEqual([['unknown', true]])
    service.target('a').comesBack()
    await service.advance({ seconds: 60 })
    expect(await held()).toEqual([['unknown', false]])
    service.target('a').goesDown()
    service.providers.latencyMs = 3_600_000
    await service.advance({ seconds: 45 })
    await service.restart()
    await service.advance({ seconds: 5 })
    expect(await held()).toEqual([
      ['unknown', true],
      ['unknown', false],
    ])
  })
})
