import { v2 } from '@pulseward/contract'
import { expectV2Answer } from '@pulseward/testing/api'
import { describe, expect, it } from 'vitest'
import { itemsOf, monitor, ServedBulk } from './served.fixture.ts'

const externalJobs = { PULSEWARD_EXTERNAL_JOBS: 'on' }

function jobType(id: string, change: object = {}): v2.Resource {
  const spec = {
    version: '1',
    kind: 'check',
    handler: 'queueDepth',
    protocolVersion: '1',
    parameterSchema: { type: 'object', required: ['queue'] },
    resultSchema: true,
    ...change,
  }
  return { apiVersion: v2.apiVersion, kind: 'JobType', metadata: { id }, spec } as v2.Resource
}

function user(id: string, type: string, config: object = { queue: 'mail' }): v2.Resource {
  return monitor(id, { check: { driver: { type, config }, interval: '1h', timeout: '5s' } })
}

const outcomesOf = ({ items = [] }: v2.Operation) => items.map(({ id, outcome }) => `${id} ${outcome}`).sort()

async function preflight(served: ServedBulk, ...resources: v2.Resource[]): Promise<v2.Preflight> {
  const body = { items: itemsOf(...resources) }
  return expectV2Answer('PreflightCollection', await served.call('PreflightCollection', { body }))
}

describe('job types in a collection', () => {
  it('come before what uses them, outlive a restart, and are compared with what is there', async () => {
    await using served = await ServedBulk.start({ environment: externalJobs })
    const both = [user('a', 'queue-depth'), jobType('queue-depth')]
    expect(outcomesOf(await served.apply(...both))).toEqual([
      'JobType/queue-depth created',
      'Monitor/a created',
    ])
    await served.restart()
    expect(outcomesOf(await served.apply(...both))).toEqual([
      'JobType/queue-depth unchanged',
      'Monitor/a unchanged',
    ])
    const got = await expectV2Answer('GetJobType', await served.call('GetJobType', { id: 'queue-depth' }))
    expect(got.spec).toEqual(both[1]?.spec)
    const headers = { 'if-match': `"${got.metadata.resourceVersion}"` }
    const asked = { id: 'queue-depth', headers }
    expect(await served.refusal('DeleteJobType', asked, 'resourceReferenced')).toContain('monitor/a')
    const changed = { ...asked, body: jobType('queue-depth', { handler: 'other' }) }
    expect(await served.refusal('ReplaceJobType', changed, 'jobTypeImmutable')).toMatch(
      /^\/spec\/version must be/,
    )
  })

  it('are judged with what uses them, in the collection and outside of it', async () => {
    await using served = await ServedBulk.start({ environment: externalJobs })
    await served.apply(jobType('queue-depth'), user('outside', 'queue-depth'), user('inside', 'queue-depth'))
    const stricter = { version: '2', parameterSchema: { required: ['queue', 'limit'] } }
    const fitting = user('inside', 'queue-depth', { queue: 'a', limit: 1 })
    const { valid, errors = [] } = await preflight(served, jobType('queue-depth', stricter), fitting)
    expect([valid, errors.length]).toEqual([false, 1])
    expect(errors[0]?.message).toContain('monitor/outside')
    const whole = [
      jobType('queue-depth', stricter),
      fitting,
      user('outside', 'queue-depth', { queue: 'b', limit: 2 }),
    ]
    expect((await served.apply(...whole)).state).toBe('completed')

    const wrong = await preflight(
      served,
      jobType('queue-depth', { handler: 'other' }),
      jobType('http'),
      user('x', 'queue-depth', {}),
      user('y', 'nowhere'),
    )
    const fields = wrong.errors?.map(({ field, message }) => `${field} ${message}`) ?? []
    for (const place of [
      '/spec/version',
      '/metadata/id',
      '/spec/check/driver/config/queue',
      '/spec/check/driver/type',
    ])
      expect(fields.some((field) => field.includes(place))).toBe(true)
  })

  it('are refused without external jobs', async () => {
    await using served = await ServedBulk.start()
    const { valid, errors = [] } = await preflight(served, jobType('queue-depth'), user('a', 'queue-depth'))
    expect([valid, errors.length]).toEqual([false, 2])
    expect(JSON.stringify(errors)).toContain('needs external jobs')
  })
})
