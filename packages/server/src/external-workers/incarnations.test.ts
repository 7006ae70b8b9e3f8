// The incarnation that workers are told of, over the real routes: a monitor that is deleted and created again is another.
import { expectV2Answer } from '@pulseward/testing/api'
import { serveNext, V2Calls, withExternalJobs } from '@pulseward/testing/editions'
import { TestService } from '@pulseward/testing/engine'
import { expect, it } from 'vitest'

const capabilities = [{ jobTypeID: 'any', kind: 'check', version: '1' }]
const poll = { workerID: 'berlin-1', capabilities, capacity: 8, limit: 8, waitSeconds: 0 }
const check = { driver: { type: 'any', config: { queue: 'mail' } }, interval: '10s', timeout: '5s' }

it('an assignment names the incarnation that is there now, also after the monitor was deleted and created again', async () => {
  const service = await TestService.start({ monitors: [] })
  await using next = await serveNext(service, withExternalJobs)
  const calls = await V2Calls.begin(next)
  await calls.create('JobType', 'any')
  const uidOffered = async () => {
    await service.advance({ seconds: 11 })
    const asked = await next.call('WorkerPoll', { role: 'worker', body: poll })
    const { items } = await expectV2Answer('WorkerPoll', asked)
    return items.map(({ incarnationUID }) => incarnationUID)
  }
  const uidServed = async () =>
    (await expectV2Answer('GetMonitor', await next.call('GetMonitor', { id: 'queue' }))).metadata.uid
  const version = await calls.create('Monitor', 'queue', { check })
  const first = await uidServed()
  expect(await uidOffered()).toEqual([first])
  const deleted = await next.call('DeleteMonitor', { id: 'queue', headers: { 'if-match': version } })
  expect(deleted.status).toBe(200)
  await calls.create('Monitor', 'queue', { check })
  const second = await uidServed()
  expect(second).not.toBe(first)
  expect(await uidOffered()).toEqual([second])
})
