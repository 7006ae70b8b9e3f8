import { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { serveNext } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { testStoreMode } from '@pulseward/testing/store'
import { describe, expect, it } from 'vitest'
import { version } from '../../../platform/version.ts'

describe('what v2 says of the service', () => {
  it('is ready and alive while it works', async () => {
    const service = await TestService.start({ monitors: [http('a')] })
    await using next = await serveNext(service)
    const generatedAt = new Date(service.clock.wallMs()).toISOString()
    const ready = await expectV2Answer('GetReady', await next.call('GetReady'))
    expect(ready).toEqual({ available: true, generatedAt })
    const live = await expectV2Answer('GetLive', await next.call('GetLive'))
    expect(live).toEqual({ available: true, generatedAt })
    expect(await expectV2Answer('GetState', await next.call('GetState'))).toMatchObject({
      generatedAt,
      ready: true,
      live: true,
      storage: { available: true, mode: testStoreMode('memory') },
      unknownActions: 0,
      actions: [],
    })
  })

  it('is not ready, and says why with 200, when decisions cannot be stored; it is alive nevertheless', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [http('a')] }))
    await next.breakStorage()
    const ready = await expectV2Answer('GetReady', await next.call('GetReady'))
    expect(ready).toMatchObject({ available: false, reason: 'decisions cannot be stored' })
    expect(await expectV2Answer('GetLive', await next.call('GetLive'))).toMatchObject({ available: true })
    expect(await expectV2Answer('GetState', await next.call('GetState'))).toMatchObject({
      ready: false,
      live: true,
      storage: { available: false, error: 'the store is damaged' },
    })
  })

  it('answers whether it is ready and alive however many other requests are in flight', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }), {
      api: { concurrentRequests: 0 },
    })
    await expectV2Problem('GetState', await next.call('GetState'), 'tooBusy')
    await expectV2Answer('GetReady', await next.call('GetReady'))
    await expectV2Answer('GetLive', await next.call('GetLive'))
  })

  it('shows the public settings and which service this is', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    expect(await expectV2Answer('GetConfig', await next.call('GetConfig'))).toEqual({
      storageMode: testStoreMode('memory'),
      historyRetention: '720h',
      queueCapacity: 65_536,
      readOnly: false,
      sloWindow: '5m',
    })
    expect(await expectV2Answer('GetVersion', await next.call('GetVersion'))).toEqual({
      version,
      runtimeVersion: process.versions.node,
      storageFormat: 11,
    })
  })

  it('can do what its registries hold, without job types', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    const able = await expectV2Answer('GetCapabilities', await next.call('GetCapabilities'))
    expect(able).toMatchObject({
      apiVersions: ['pulseward/v1', 'pulseward/v2'],
      resources: [
        'Monitor',
        'NotificationEndpoint',
        'NotificationGroup',
        'Credential',
        'Route',
        'Person',
        'Schedule',
        'Policy',
        'Calendar',
        'StatusPage',
        'StatusIncident',
        'Badge',
      ],
      patchTypes: ['application/merge-patch+json'],
    })
    expect(able.drivers).toMatchObject({
      check: expect.arrayContaining(['http', 'tcp']),
      recovery: expect.arrayContaining(['webhook', 'kubernetes']),
      notification: expect.arrayContaining(['webhook', 'slack']),
    })
    for (const [category, drivers] of Object.entries(able.drivers))
      for (const driver of drivers) {
        const response = await next.call('ExplainResource', { id: `${category}.${driver}` })
        const explained = await expectV2Answer('ExplainResource', response)
        expect(explained).toMatchObject({
          resource: `${category}.${driver}`,
          description: expect.stringMatching(/./),
          schema: { type: 'object' },
        })
      }
  })

  it('explains kinds by the schema that a write is held against', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    for (const kind of v2.resourceKinds.filter((kind) => kind !== 'JobType')) {
      const explained = await expectV2Answer(
        'ExplainResource',
        await next.call('ExplainResource', { id: kind }),
      )
      expect(explained).toEqual({
        resource: kind,
        description: expect.stringMatching(/./),
        schema: JSON.parse(JSON.stringify(v2.wireTypes[kind])),
      })
    }
  })

  it('explains a driver by its bare name where only one category has it, and names what there is otherwise', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    const explained = async (id: string) =>
      expectV2Answer('ExplainResource', await next.call('ExplainResource', { id }))
    expect(await explained('slack')).toMatchObject({ resource: 'notification.slack' })
    const refused = async (id: string) =>
      (await expectV2Problem('ExplainResource', await next.call('ExplainResource', { id }), 'notFound'))
        .detail
    expect(await refused('webhook')).toBe(
      'Several categories have such a driver; ask for recovery.webhook or notification.webhook.',
    )
    expect(await refused('check.htpp')).toMatch(
      /^There is no such kind or driver\. The kinds are Monitor, .* Did you mean "check\.http"\?$/,
    )
    for (const id of ['JobType', 'constructor', '__proto__', 'check.constructor', 'check.', '.', 'Operation'])
      expect(await refused(id)).toContain('There is no such kind or driver.')
  })

  it('has job types among its kinds when external jobs are on', async () => {
    const settings = { external_jobs: true }
    await using next = await serveNext(await TestService.start({ monitors: [] }), { settings })
    const told = await expectV2Answer('GetCapabilities', await next.call('GetCapabilities'))
    expect(told.resources).toContain('JobType')
    const asked = await next.call('ExplainResource', { id: 'JobType' })
    expect((await expectV2Answer('ExplainResource', asked)).resource).toBe('JobType')
  })
})
