// The edition next while what the previous process left is not restored yet, over a disk that takes its time: nothing that
// changes something is taken, and everything that is refused can be sent again.
import { v2 } from '@pulseward/contract'
import { eventually } from '@pulseward/testing'
import { expectV2Answer } from '@pulseward/testing/api'
import { type ServedNext, serveNext, type V2Call } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const ifMatch = (version: string) => ({ 'if-match': `"${version}"` })
const ifNew = { 'if-none-match': '*' }
const shop = {
  apiVersion: v2.apiVersion,
  kind: 'Monitor',
  metadata: { id: 'shop' },
  spec: {
    check: {
      driver: { type: 'http', config: { url: 'http://shop.test/' } },
      interval: '10s',
      timeout: '1s',
    },
  },
}

let service: TestService
let next: ServedNext
beforeEach(async () => {
  service = await TestService.start({ monitors: [http('edge'), http('other')] })
})
afterEach(() => next[Symbol.asyncDispose]())

const revisionOf = async (id: string) => {
  const { status } = await expectV2Answer('GetMonitor', await next.call('GetMonitor', { id }))
  return status?.controlRevision ?? ''
}

async function snooze(id: string, revision: string): Promise<Response> {
  const body = { revision, reason: 'work', duration: '1h' }
  return next.call('SnoozeMonitor', { id, body, headers: ifMatch(revision) })
}

/** Every call that changes something, with what it needs to be judged at all. */
async function changingCalls(revision: string): Promise<readonly [v2.OperationName, V2Call][]> {
  const control = { verb: 'snooze', ids: ['other'], duration: '1h', reason: 'work' }
  const created = await next.call('CreateOperation', { body: { control } })
  const { id } = await expectV2Answer('CreateOperation', created)
  return [
    [
      'SnoozeMonitor',
      { id: 'edge', body: { revision, reason: 'work', duration: '1h' }, headers: ifMatch(revision) },
    ],
    ['CreateMonitor', { body: shop, headers: ifNew }],
    ['PatchMonitor', { id: 'edge', body: { spec: { enabled: false } }, headers: ifMatch('1.1') }],
    ['CreateOperation', { body: { control } }],
    ['ActivateOperation', { id }],
    ['CancelOperation', { id }],
  ]
}

async function restartOnSlowDisk(): Promise<void> {
  await service.restartOnSlowDisk()
  await next[Symbol.asyncDispose]()
  next = await serveNext(service, { begins: false })
}

describe('before the state is restored', () => {
  it('refuses everything that changes something, and says when to come back', async () => {
    next = await serveNext(service)
    const calls = await changingCalls(await revisionOf('edge'))
    await restartOnSlowDisk()
    const before = await service.events()
    for (const [name, call] of calls) {
      const answer = await next.call(name, call)
      expect([name, answer.status, answer.headers.get('retry-after')]).toEqual([name, 503, '1'])
      expect(await answer.json()).toMatchObject({ code: 'unavailable' })
    }
    await service.releaseCommits()
    await eventually(() => expect(service.engine.reading.isAdmitting).toBe(true))
    expect(await service.events()).toEqual(before)
  })

  it('loses nothing: what was refused is taken when it is sent again', async () => {
    next = await serveNext(service)
    const revision = await revisionOf('edge')
    await restartOnSlowDisk()
    expect((await snooze('edge', revision)).status).toBe(503)
    expect((await next.call('CreateMonitor', { body: shop, headers: ifNew })).status).toBe(503)
    await service.releaseCommits()
    await eventually(() => expect(service.engine.reading.isAdmitting).toBe(true))
    expect((await next.call('GetMonitor', { id: 'shop' })).status).toBe(404)
    expect((await next.call('CreateMonitor', { body: shop, headers: ifNew })).status).toBe(201)
    expect((await snooze('edge', revision)).status).toBe(200)
    await service.restart()
    expect(service.engine.reading.healthOf(service.rowOf('edge')).snooze).not.toBeNull()
  })

  it('answers what can be read', async () => {
    next = await serveNext(service)
    await restartOnSlowDisk()
    expect((await next.call('GetLive')).status).toBe(200)
    const ready = await expectV2Answer('GetReady', await next.call('GetReady'))
    expect(ready.available).toBe(false)
    expect((await next.call('GetHistory')).status).toBe(200)
    expect((await next.call('GetVersion')).status).toBe(200)
    await service.releaseCommits()
  })
})
