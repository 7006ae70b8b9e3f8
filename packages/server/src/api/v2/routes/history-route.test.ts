// The history of v2 over HTTP: who did what to which resource, beside what happened to monitors and to the service.
import { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { type ServedNext, serveNext } from '@pulseward/testing/editions'
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'

const secret = 'nobody-may-see-this'

function monitorOf(id: string, more: object = {}) {
  const driver = { type: 'http', config: { url: `http://${id}.test/?key=${secret}` } }
  const spec = { check: { driver, interval: '10s', timeout: '5s' }, ...more }
  return { apiVersion: v2.apiVersion, kind: 'Monitor', metadata: { id }, spec }
}

async function create(next: ServedNext, id: string): Promise<string> {
  const response = await next.call('CreateMonitor', {
    body: monitorOf(id),
    headers: { 'if-none-match': '*' },
  })
  expect(response.status).toBe(201)
  return response.headers.get('etag') ?? ''
}

async function history(next: ServedNext, query = ''): Promise<v2.EventList> {
  return expectV2Answer('GetHistory', await next.call('GetHistory', { query }))
}

describe('the history of v2', () => {
  it('tells who created, changed and deleted which resource, and what changed, without a secret', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    const version = await create(next, 'shop')
    const changed = await next.call('PatchMonitor', {
      id: 'shop',
      headers: { 'if-match': version },
      body: {
        spec: { check: { interval: '30s', driver: { config: { url: `http://x.test/?key=${secret}2` } } } },
      },
    })
    const headers = { 'if-match': changed.headers.get('etag') ?? '' }
    expect((await next.call('DeleteMonitor', { id: 'shop', headers })).status).toBe(200)
    const endpoint = { type: 'webhook', config: { url: 'https://hooks.test/' } }
    const body = {
      apiVersion: v2.apiVersion,
      kind: 'NotificationEndpoint',
      metadata: { id: 'ops' },
      spec: endpoint,
    }
    await next.call('CreateNotificationEndpoint', { body, headers: { 'if-none-match': '*' } })
    const { items } = await history(next)
    const resource = { kind: 'Monitor', id: 'shop', uid: expect.any(String) }
    const ofShop = { monitorID: 'shop', actor: 'the-operator', resource }
    expect(items).toMatchObject([
      { ...ofShop, kind: 'resource_created' },
      { ...ofShop, kind: 'resource_updated' },
      { ...ofShop, kind: 'resource_deleted' },
      {
        kind: 'resource_created',
        actor: 'the-operator',
        resource: { kind: 'NotificationEndpoint', id: 'ops' },
      },
    ])
    expect(items[3]).not.toHaveProperty('monitorID')
    expect(items[1]?.changes?.map(({ field }) => field)).toEqual([
      '/spec/check/driver/config/url',
      '/spec/check/interval',
    ])
    expect(items[1]?.changes?.[1]).toMatchObject({ before: '10s', after: '30s' })
    expect(JSON.stringify(items)).not.toContain(secret)
    expect(new Set(items.slice(0, 3).map((event) => event.resource?.uid)).size).toBe(1)
  })

  it('has what happened to monitors in the same order, and events of the service without a monitor', async () => {
    const monitors = [{ ...http('a'), notify: { red: { endpoints: ['dead'] } } }]
    const service = await TestService.start({ monitors, head: endpoints('dead') })
    service.providers.outcomeOf = () => ({ kind: 'gone', reason: 'HTTP 410' })
    service.target('a').goesDown()
    await service.advance({ seconds: 45 })
    await using next = await serveNext(service)
    await create(next, 'shop')
    const { items } = await history(next)
    const kinds = items.map(({ kind }) => kind)
    expect(kinds).toEqual([
      'incident_opened',
      'action_queued',
      'action_started',
      'action_failed',
      'destination_dead',
      'resource_created',
    ])
    const numbers = items.map(({ id }) => Number(id))
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other))
    expect(items[0]).toMatchObject({ monitorID: 'a', incidentID: expect.any(String) })
    expect(items[0]).not.toHaveProperty('actor')
    expect(items[3]).toMatchObject({ monitorID: 'a', color: 'red', endpoint: 'dead', reason: 'HTTP 410' })
    expect(items[4]).toMatchObject({ endpoint: 'dead', outcome: 'gone' })
    expect(items[4]).not.toHaveProperty('monitorID')
  })

  it('shows one monitor with its writes, and nothing for one that is not known', async () => {
    const service = await TestService.start({ monitors: [http('a')] })
    await using next = await serveNext(service)
    await create(next, 'shop')
    await create(next, 'other')
    service.target('shop').goesDown()
    await service.advance({ seconds: 75 })
    const ofShop = await history(next, '?monitorID=shop')
    expect(ofShop.items.map(({ kind }) => kind)).toEqual(['resource_created', 'incident_opened'])
    expect((await history(next, '?monitorID=nobody')).items).toEqual([])
    const selected = await next.call('GetHistory', { query: '?selector=team' })
    await expectV2Problem('GetHistory', selected, 'unsupportedFilter')
  })

  it('is read page by page as it was at the first page', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    for (const id of ['a', 'b', 'c']) await create(next, id)
    const first = await history(next, '?limit=2')
    await create(next, 'd')
    const second = await history(next, `?limit=2&cursor=${first.nextCursor}`)
    expect([...first.items, ...second.items].map((event) => event.resource?.id)).toEqual(['a', 'b', 'c'])
    expect(second).not.toHaveProperty('nextCursor')
    expect(second.snapshot).toBe(first.snapshot)
  })

  it('says that a cursor has expired when what comes next was forgotten', async () => {
    const service = await TestService.start({ monitors: [] })
    await using next = await serveNext(service)
    for (const id of ['a', 'b', 'c']) await create(next, id)
    const { nextCursor } = await history(next, '?limit=1')
    const readEvents = service.store.readEvents.bind(service.store)
    service.store.readEvents = async (query) => ({ ...(await readEvents(query)), oldest: 3 })
    const response = await next.call('GetHistory', { query: `?limit=1&cursor=${nextCursor}` })
    await expectV2Problem('GetHistory', response, 'cursorExpired')
  })

  it('is unavailable, and never empty, when the store cannot be read', async () => {
    const service = await TestService.start({ monitors: [] })
    await using next = await serveNext(service)
    await service.store[Symbol.asyncDispose]()
    for (const name of ['GetHistory', 'ListIncidents', 'ListActions', 'ListMonitors'] as const) {
      const { detail } = await expectV2Problem(name, await next.call(name), 'unavailable')
      expect(detail).toBe('The store cannot be read now.')
    }
    for (const name of ['GetIncident', 'GetAction', 'GetMonitor'] as const)
      await expectV2Problem(name, await next.call(name, { id: 'any' }), 'unavailable')
  })
})
