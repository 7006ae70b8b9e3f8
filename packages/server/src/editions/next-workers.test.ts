// Workers outside the service against a real process: a check, a recovery and a notification, over kill -9.
import { readFileSync } from 'node:fs'
import type { v2 } from '@pulseward/contract'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { expectV2Answer } from '@pulseward/testing/api'
import { callOperation, documentOf, type V2Call } from '@pulseward/testing/editions'
import { createToken, RunningCommand, type RunningService } from '@pulseward/testing/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

type Kind = v2.JobType['spec']['kind']
const result = { type: 'object' } as const

let folder: TemporaryFolder
let service: RunningService
let tokens: Readonly<Record<'reader' | 'operator' | 'worker', string>>
const start = () =>
  RunningCommand.serve(['--edition', 'next', '--data', folder.path('data')], {
    environment: { PULSEWARD_EXTERNAL_JOBS: 'true' },
  })

beforeEach(async () => {
  folder = temporaryFolder()
  service = await start()
  const operator = readFileSync(folder.path('data/operator.token'), 'utf8').trim()
  const jobTypes = ['depth', 'restart', 'page']
  const token = await createToken(folder.path('data'), { name: 'berlin', role: 'worker', jobTypes })
  tokens = { reader: operator, operator, worker: token }
  // Principals are looked at a few times a second.
  await eventually(async () =>
    expect((await call('WorkerPoll', { role: 'worker', body: {} })).status).not.toBe(401),
  )
  for (const [id, kind] of Object.entries({ depth: 'check', restart: 'recovery', page: 'notification' }))
    await create('JobType', id, {
      version: '1',
      kind,
      handler: id,
      protocolVersion: '1',
      parameterSchema: { type: 'object', properties: { queue: { type: 'string' } } },
      resultSchema: result,
    })
})
afterEach(async () => {
  service.signal('SIGKILL')
  await service.ended
  folder[Symbol.dispose]()
})

const call = (name: v2.OperationName, asked?: V2Call) => callOperation(service.url, tokens, name, asked)

async function create(
  kind: 'JobType' | 'Monitor' | 'NotificationEndpoint',
  id: string,
  spec: object,
): Promise<void> {
  const body = { ...documentOf('Monitor', id, spec), kind }
  await expectV2Answer(
    `Create${kind}`,
    await call(`Create${kind}`, { body, headers: { 'if-none-match': '*' } }),
  )
}

async function poll(kind: Kind, jobTypeID: string, waitSeconds = 10): Promise<v2.Assignments['items']> {
  const capabilities = [{ jobTypeID, version: '1', kind }]
  const body = { workerID: 'berlin-1', capabilities, capacity: 8, limit: 16, waitSeconds }
  return (await expectV2Answer('WorkerPoll', await call('WorkerPoll', { role: 'worker', body }))).items
}

/** A check may be as far away as its interval. */
function firstOffer(kind: Kind, jobTypeID: string): Promise<v2.Assignments['items'][number]> {
  return eventually(async () => {
    const [offer] = await poll(kind, jobTypeID)
    if (offer === undefined) throw new Error('nothing was offered')
    return offer
  })
}

async function begin({ executionID, leaseID, executionRevision }: v2.Assignments['items'][number]) {
  const body = { executionID, leaseID, executionRevision }
  return expectV2Answer('WorkerStart', await call('WorkerStart', { role: 'worker', body }))
}

async function report(body: object): Promise<v2.Receipt> {
  return expectV2Answer('WorkerResult', await call('WorkerResult', { role: 'worker', body }))
}

async function healthOf(id: string): Promise<string | undefined> {
  const { status } = await expectV2Answer('GetMonitor', await call('GetMonitor', { id }))
  return status?.health
}

const external = (type: string, config: object = {}) => ({ type, config })
const depth = {
  driver: external('depth', { queue: 'billing' }),
  interval: '5s',
  timeout: '5s',
  unhealthyThreshold: 1,
}

async function killAndStart(): Promise<void> {
  service.signal('SIGKILL')
  await service.ended
  service = await start()
}

describe('a worker outside the service', () => {
  it('checks a monitor: an offer, a grant, a result and a receipt that stays the same', async () => {
    await create('Monitor', 'queue', { check: depth })
    const offer = await firstOffer('check', 'depth')
    expect(offer).toMatchObject({ monitorID: 'queue', jobTypeVersion: '1', parameters: { queue: 'billing' } })
    const started = await begin(offer)
    expect(started).toMatchObject({ disposition: 'granted', receiptID: '' })
    expect(await begin(offer)).toMatchObject({ disposition: 'started', grantID: '' })
    const { executionID } = offer
    const outcome = {
      executionID,
      grantID: started.grantID,
      kind: 'check',
      status: 'success',
      data: { latencyMs: 7 },
    }
    const receipt = await report(outcome)
    expect(receipt).toMatchObject({ executionID, disposition: 'finalized' })
    expect(await healthOf('queue')).toBe('healthy')
    expect(await report(outcome)).toEqual(receipt)
    const other = await call('WorkerResult', { role: 'worker', body: { ...outcome, status: 'failure' } })
    expect(other.status).toBe(409)
    await killAndStart()
    expect(await report(outcome)).toEqual(receipt)
    expect(await begin(offer)).toMatchObject({ disposition: 'terminal', receiptID: receipt.receiptID })
  })

  it('reports to the next process what the killed one had granted', { tags: 'long' }, async () => {
    // What was granted has to outlive a start on a slow machine. The first check of one of many comes soon all the same.
    const check = { ...depth, interval: '60s', timeout: '60s' }
    for (let number = 0; number < 12; number++) await create('Monitor', `queue-${number}`, { check })
    const offer = await firstOffer('check', 'depth')
    const { grantID } = await begin(offer)
    await killAndStart()
    const { executionID, monitorID } = offer
    expect(await begin(offer)).toMatchObject({ disposition: 'started', grantID: '' })
    await report({ executionID, grantID, kind: 'check', status: 'failure', diagnostic: 'too deep' })
    expect(await healthOf(monitorID)).toBe('unhealthy')
  })

  it('recovers and notifies, each once, with what the message is about', async () => {
    await create('NotificationEndpoint', 'pager', external('page'))
    await create('Monitor', 'queue', {
      check: depth,
      recovery: { driver: external('restart', { queue: 'billing' }), timeout: '30s' },
      notifications: { red: { endpointRefs: ['pager'] } },
    })
    const offer = await firstOffer('check', 'depth')
    const { grantID } = await begin(offer)
    await report({
      executionID: offer.executionID,
      grantID,
      kind: 'check',
      status: 'failure',
      diagnostic: 'full',
    })
    const recovery = await firstOffer('recovery', 'restart')
    expect(recovery.parameters).toMatchObject({
      queue: 'billing',
      intervention: { monitorID: 'queue', seen: 'full' },
    })
    const granted = await begin(recovery)
    await killAndStart()
    const rejected = {
      executionID: recovery.executionID,
      grantID: granted.grantID,
      kind: 'recovery',
      status: 'rejected',
    }
    expect(await report({ ...rejected, diagnostic: 'no' })).toMatchObject({ disposition: 'finalized' })
    const failed = await eventually(async () => {
      const [again] = await poll('check', 'depth', 3)
      if (again === undefined) throw new Error('not yet')
      const { grantID: other } = await begin(again)
      await report({ executionID: again.executionID, grantID: other, kind: 'check', status: 'failure' })
      const [page] = await poll('notification', 'page', 1)
      if (page === undefined) throw new Error('nobody is told yet')
      return page
    })
    expect(failed.parameters).toMatchObject({ notification: { color: 'red', monitorID: 'queue' } })
    const { grantID: paged } = await begin(failed)
    await report({
      executionID: failed.executionID,
      grantID: paged,
      kind: 'notification',
      status: 'delivered',
    })
    const { items } = await expectV2Answer('ListActions', await call('ListActions'))
    expect(items.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
      'code succeeded',
      'intervention failed',
    ])
  })
})
