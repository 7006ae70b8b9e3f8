// What v2 says of an action beside the action itself, over HTTP: the incarnation that it was made for, and its execution.
import type { v2 } from '@pulseward/contract'
import { expectV2Answer } from '@pulseward/testing/api'
import {
  type ServedNext,
  serveNext,
  troubledFleet,
  V2Calls,
  withExternalJobs,
} from '@pulseward/testing/editions'
import { TestService } from '@pulseward/testing/engine'
import { expect, it } from 'vitest'

const jobType = {
  version: '1',
  kind: 'recovery',
  handler: 'restart',
  protocolVersion: '1',
  parameterSchema: { type: 'object' },
  resultSchema: { type: 'object' },
}
const spec = {
  check: {
    driver: { type: 'http', config: { url: 'http://shop.test/' } },
    interval: '10s',
    timeout: '5s',
    unhealthyThreshold: 1,
  },
  recovery: { driver: { type: 'any', config: {} }, timeout: '5s' },
}
const capabilities = [{ jobTypeID: 'any', kind: 'recovery', version: '1' }]
const poll = { workerID: 'berlin-1', capabilities, capacity: 8, limit: 8, waitSeconds: 0 }

async function read<Name extends 'ListActions' | 'GetState'>(next: ServedNext, name: Name) {
  return expectV2Answer(name, await next.call(name))
}

async function uidOf(next: ServedNext, id: string) {
  return (await expectV2Answer('GetMonitor', await next.call('GetMonitor', { id }))).metadata.uid
}

it('an action of a worker names its incarnation, the offer that was granted and its receipt, also after a restart', async () => {
  const service = await TestService.start({ monitors: [] })
  let taken: v2.Assignment | undefined
  let first: string | undefined
  {
    await using next = await serveNext(service, withExternalJobs)
    const calls = await V2Calls.begin(next)
    await calls.create('JobType', 'any', jobType)
    const version = await calls.create('Monitor', 'shop', spec)
    first = await uidOf(next, 'shop')
    service.target('shop').goesDown()
    await service.advance({ seconds: 12 })
    const polled = await next.call('WorkerPoll', { role: 'worker', body: poll })
    taken = (await expectV2Answer('WorkerPoll', polled)).items[0]
    expect(taken).toMatchObject({ kind: 'recovery', monitorID: 'shop', incarnationUID: first })
    const offered = (await read(next, 'ListActions')).items[0]
    expect(offered).toMatchObject({ id: taken?.executionID, incarnationUID: first })
    expect(offered).not.toHaveProperty('executionRevision')
    const { executionID, leaseID, executionRevision } = taken!
    const start = { role: 'worker', body: { executionID, leaseID, executionRevision } } as const
    await expectV2Answer('WorkerStart', await next.call('WorkerStart', start))
    const running = (await read(next, 'ListActions')).items[0]
    expect(running).toMatchObject({ incarnationUID: first, executionRevision })
    expect(running).not.toHaveProperty('receiptID')
    // Its worker does not report, and its monitor is another one by then.
    await service.advance({ seconds: 6 })
    const headers = {
      'if-match': (await next.call('GetMonitor', { id: 'shop' })).headers.get('etag') ?? version,
    }
    expect((await next.call('DeleteMonitor', { id: 'shop', headers })).status).toBe(200)
    await calls.create('Monitor', 'shop', spec)
    expect(await uidOf(next, 'shop')).not.toBe(first)
  }
  await service.restart()
  await using next = await serveNext(service, withExternalJobs)
  const { executionID: id, executionRevision } = taken!
  const ended = { id, state: 'unknown', incarnationUID: first, executionRevision, receiptID: `receipt-${id}` }
  const listed = (await read(next, 'ListActions')).items.find((action) => action.id === id)
  expect(listed).toMatchObject(ended)
  expect(await expectV2Answer('GetAction', await next.call('GetAction', { id }))).toMatchObject(ended)
  expect((await read(next, 'GetState')).actions).toMatchObject([ended])
})

it('an action that the service carries out itself names the incarnation of its monitor, and no execution of a worker', async () => {
  await using next = await serveNext(await troubledFleet())
  const { items } = await read(next, 'ListActions')
  const started = items.filter(({ executionID }) => executionID !== undefined)
  expect(started.length).toBeGreaterThan(0)
  for (const action of started) {
    expect(action.incarnationUID).toBe(await uidOf(next, action.monitorID ?? ''))
    expect(action).not.toHaveProperty('executionRevision')
    expect(action).not.toHaveProperty('receiptID')
  }
})

it('actions, incidents and their events say why they were decided', async () => {
  await using next = await serveNext(await troubledFleet())
  const { items: actions } = await read(next, 'ListActions')
  const { items: incidents } = await expectV2Answer('ListIncidents', await next.call('ListIncidents'))
  const { items: events } = await expectV2Answer('GetHistory', await next.call('GetHistory'))
  const opened = events.filter(({ kind }) => kind === 'incident_opened')
  for (const all of [actions, incidents, opened]) expect(all.length).toBeGreaterThan(0)
  for (const one of [...actions, ...incidents, ...opened]) expect(one.because?.kind, one.id).toBeDefined()
  for (const { id, incidentID, because } of opened)
    expect(incidents.find((incident) => incident.id === incidentID)?.because, id).toEqual(because)
})

it('the state names unknown actions also while the store cannot be asked for what is beside them', async () => {
  const service = await troubledFleet()
  await using next = await serveNext(service)
  service.store.readIncarnations = () => Promise.reject(new Error('the store is in trouble'))
  const { actions = [], unknownActions } = await read(next, 'GetState')
  expect(actions).toHaveLength(unknownActions ?? -1)
})
