import type { v2 } from '@pulseward/contract'
import { eventually } from '@pulseward/testing'
import { expectV2Answer } from '@pulseward/testing/api'
import { answers, HttpTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { endpoint, group, itemsOf, monitor, outcomesOf, ServedBulk } from '../bulk/served.fixture.ts'

const everybody: v2.Route['spec'] = { match: {}, colors: ['red'], groupRefs: ['all'] }
const route = (spec: Partial<v2.Route['spec']> = {}, id = 'everything'): v2.Resource => ({
  apiVersion: 'pulseward/v2',
  kind: 'Route',
  metadata: { id },
  spec: { ...everybody, ...spec },
})
const fleet = {
  endpoints: { chat: { type: 'log' } },
  groups: { all: ['chat'], unused: ['chat'] },
  routes: [{ match: { team: 'shop' }, colors: ['red', 'green'], groups: ['all'] }],
  monitors: [
    { name: 'edge', check: { type: 'tcp', interval: '1h', config: { host: '127.0.0.1', port: 1 } } },
  ],
}

/** The fields and sentences of the mistakes that a preflight finds. */
async function mistakesIn(served: ServedBulk, resource: v2.Resource): Promise<string[]> {
  const answer = await served.call('PreflightCollection', { body: { items: itemsOf(resource) } })
  const { errors = [] } = await expectV2Answer('PreflightCollection', answer)
  return errors.map(({ field, message }) => `${field} ${message}`)
}

const listed = async (served: ServedBulk) =>
  (await expectV2Answer('ListRoutes', await served.call('ListRoutes'))).items

const versionOf = async (served: ServedBulk, name: 'GetRoute' | 'GetNotificationGroup', id: string) =>
  (await served.call(name, { id })).headers.get('etag') ?? ''

describe('a route', () => {
  it('is applied behind what it names and before monitors, and holds on to what it names', async () => {
    await using served = await ServedBulk.start()
    const applied = await served.apply(monitor('shop'), route(), group('all', 'chat'), endpoint('chat'))
    expect(outcomesOf(applied).sort()).toEqual([
      'Monitor/shop created',
      'NotificationEndpoint/chat created',
      'NotificationGroup/all created',
      'Route/everything created',
    ])
    const ofGroup = {
      id: 'all',
      headers: { 'if-match': await versionOf(served, 'GetNotificationGroup', 'all') },
    }
    await served.refusal('DeleteNotificationGroup', ofGroup, 'resourceReferenced')
    const ofRoute = {
      id: 'everything',
      headers: { 'if-match': await versionOf(served, 'GetRoute', 'everything') },
    }
    await expectV2Answer('DeleteRoute', await served.call('DeleteRoute', ofRoute))
    await expectV2Answer('DeleteNotificationGroup', await served.call('DeleteNotificationGroup', ofGroup))
  })

  it('names endpoints and groups that exist, and at least one of them', async () => {
    await using served = await ServedBulk.start({ fleet })
    expect(await mistakesIn(served, route())).toEqual([])
    expect(await mistakesIn(served, route({ endpointRefs: ['nowhere'], groupRefs: ['nobody'] }))).toEqual([
      expect.stringMatching(/\/spec\/endpointRefs\/0 there is no endpoint "nowhere"/),
      expect.stringMatching(/\/spec\/groupRefs\/0 there is no group "nobody"/),
    ])
    expect(await mistakesIn(served, route({ groupRefs: [] }))).toEqual([
      expect.stringMatching(/\/spec names no endpoint and no group; name at least one in endpointRefs/),
    ])
    expect(await mistakesIn(served, route({}, 'routes.7'))).toEqual([
      expect.stringMatching(
        /\/metadata\/id is how routes of fleet files without an id are named; choose another id/,
      ),
    ])
  })

  it('of a fleet file is shown by its place in the files, and is read-only', async () => {
    await using served = await ServedBulk.start({ fleet })
    await served.put(route())
    expect(await listed(served)).toMatchObject([
      { metadata: { id: 'everything', managedBy: 'api' } },
      {
        metadata: { id: 'routes.0', managedBy: 'file' },
        spec: { match: { team: 'shop' }, colors: ['red', 'green'], groupRefs: ['all'] },
      },
    ])
    const asked = { id: 'routes.0', headers: { 'if-match': await versionOf(served, 'GetRoute', 'routes.0') } }
    await served.refusal('DeleteRoute', asked, 'managedByFile')
  })

  it('of a fleet file has the id that it has there', async () => {
    const [route] = fleet.routes
    await using served = await ServedBulk.start({
      fleet: { ...fleet, routes: [{ id: 'nightly', ...route }, route] },
    })
    expect((await listed(served)).map(({ metadata }) => metadata.id)).toEqual(['nightly', 'routes.1'])
  })

  it('of v2 stays when the files are read again, and says what they have dropped', {
    tags: 'long',
  }, async () => {
    await using served = await ServedBulk.start({ fleet })
    await served.put(route({ groupRefs: ['unused'] }))
    await served.reload({ ...fleet, groups: { all: ['chat'] } })
    expect((await listed(served)).map(({ metadata }) => metadata.id)).toEqual(['everything', 'routes.0'])
    const storageError = async () =>
      (await expectV2Answer('GetState', await served.call('GetState'))).storage.error
    expect(await storageError()).toContain('group unused (route/everything)')
    await served.restart()
    expect(await storageError()).toContain('group unused (route/everything)')
    expect((await listed(served))[0]).toMatchObject({ spec: { groupRefs: ['unused'] } })
  })

  it('gives a policy, applied behind the people that it tells, over a restart and beside files', {
    tags: 'long',
  }, async () => {
    const resource = (kind: v2.ResourceKind, id: string, spec: object) =>
      ({ apiVersion: 'pulseward/v2', kind, metadata: { id }, spec }) as v2.Resource
    const ofFiles = { people: { bo: { endpoints: ['chat'] } } }
    await using served = await ServedBulk.start({ fleet: { ...fleet, ...ofFiles } })
    const layers = [{ personRefs: ['ana', 'bo'], start: '2026-03-02T09:00' }]
    const applied = await served.apply(
      monitor('shop'),
      resource('Route', 'everything', { match: {}, policyRef: 'page' }),
      resource('Policy', 'page', { steps: [{ notify: [{ scheduleRef: 'primary' }] }] }),
      resource('Schedule', 'primary', { layers }),
      resource('Person', 'ana', { endpointRefs: ['chat'] }),
    )
    expect(outcomesOf(applied).filter((outcome) => outcome.endsWith('created'))).toHaveLength(5)
    await served.reload(fleet)
    await served.restart()
    const { storage } = await expectV2Answer('GetState', await served.call('GetState'))
    expect(storage.error).toContain('person bo (schedule/primary)')
    const shop = await expectV2Answer('GetMonitor', await served.call('GetMonitor', { id: 'shop' }))
    expect(shop.status?.audience?.policy).toBe('page')
  })

  it('gives a policy whose messages carry a link that acknowledges', async () => {
    await using shop = await HttpTarget.start()
    await using hook = await HttpTarget.start()
    const environment = {
      PULSEWARD_ALLOW_LOOPBACK_NOTIFY: 'true',
      PULSEWARD_PUBLIC_URL: 'http://status.test/',
      PULSEWARD_ONCALL_ACK_LINKS: 'true',
    }
    await using served = await ServedBulk.start({ environment })
    const resource = (kind: v2.ResourceKind, id: string, spec: object) =>
      ({ apiVersion: 'pulseward/v2', kind, metadata: { id }, spec }) as v2.Resource
    await served.apply(
      endpoint('push', { url: hook.url('/') }),
      resource('Person', 'ana', { endpointRefs: ['push'] }),
      resource('Policy', 'page', { steps: [{ notify: [{ personRef: 'ana' }] }], repeat: 5 }),
      resource('Route', 'everything', { match: {}, policyRef: 'page' }),
    )
    shop.behave(answers({ status: 503 }))
    const often = { interval: '1s', timeout: '1s', unhealthyThreshold: 1 }
    const check = { driver: { type: 'http', config: { url: shop.url('/') } }, ...often }
    await served.put(monitor('shop', { check }))
    const link = await eventually(() => {
      const found = /"acknowledge_link":"http:\/\/status\.test(\/ack\/[^"]+)"/.exec(hook.requests.join('\n'))
      expect(found).not.toBeNull()
      return found![1]!
    })
    const answer = await fetch(`${served.url}${link}`, { method: 'POST' })
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('Acknowledged by ana'),
    ])
    const { items } = await expectV2Answer('ListIncidents', await served.call('ListIncidents'))
    expect(items[0]).toMatchObject({ acknowledgedBy: 'ana', escalation: { state: 'acknowledged' } })
  })

  it('still tells its group after a restart', { tags: 'long' }, async () => {
    await using shop = await HttpTarget.start()
    await using hook = await HttpTarget.start()
    const environment = { PULSEWARD_ALLOW_LOOPBACK_NOTIFY: 'true' }
    await using served = await ServedBulk.start({ environment })
    const often = { interval: '1s', timeout: '1s', unhealthyThreshold: 1 }
    const check = { driver: { type: 'http', config: { url: shop.url('/') } }, ...often }
    await served.apply(endpoint('chat', { url: hook.url('/') }), group('all', 'chat'), route())
    await served.put(monitor('shop', { check }))
    await served.restart()
    expect(hook.requests).toEqual([])
    shop.behave(answers({ status: 503 }))
    await eventually(() => expect(hook.requests.join('\n')).toContain('"color":"red"'))
  })
})
