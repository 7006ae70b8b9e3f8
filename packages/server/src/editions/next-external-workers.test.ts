// Workers outside the service as v1 and metrics show them, from their first poll to the end of a job.
import { v1Limits } from '@pulseward/contract'
import { expectV1Answer, readMetrics } from '@pulseward/testing/api'
import {
  type ServedNext,
  serveNext,
  troubledFleet,
  V2Calls,
  withExternalJobs,
} from '@pulseward/testing/editions'
import { TestService } from '@pulseward/testing/engine'
import { describe, expect, it, onTestFinished } from 'vitest'

async function served(service: TestService, options = withExternalJobs): Promise<ServedNext> {
  const next = await serveNext(service, options)
  onTestFinished(() => next[Symbol.asyncDispose]())
  return next
}

async function workersOf(next: ServedNext) {
  const state = await expectV1Answer('GetState', 'next', await next.get('state'))
  if (!('external_workers' in state)) throw new Error('the state has no external_workers')
  return state.external_workers
}

async function measured(next: ServedNext, name: string): Promise<number | undefined> {
  const families = readMetrics(await (await next.get('/metrics')).text(), 'prometheus')
  return families.get(`pulseward_external_${name}`)?.samples[0]?.value
}

describe('external workers in the state of next', () => {
  it('are null while external jobs are off, with a monitor too', async () => {
    const next = await served(await troubledFleet(), { settings: { external_jobs: false } })
    expect(await workersOf(next)).toBeNull()
    const ofMonitor = await expectV1Answer('GetState', 'next', await next.get('state?monitor_id=up'))
    expect(ofMonitor).toMatchObject({ external_workers: null, monitor_id: 'up' })
  })

  it('are none before the first poll', async () => {
    const next = await served(await TestService.start({ monitors: [] }))
    expect(await workersOf(next)).toEqual({
      workers: [],
      more: 0,
      waiting_polls: 0,
      waiting_jobs: 0,
      running_jobs: 0,
    })
    expect(await measured(next, 'workers')).toBe(0)
  })

  it('are shown with what they run, and their jobs are counted until they end', async () => {
    const service = await troubledFleet()
    const next = await served(service)
    const calls = await V2Calls.begin(next)
    const { executionID, grantID } = await calls.grant()
    const [worker] = (await workersOf(next))?.workers ?? []
    expect(worker).toMatchObject({ principal: 'the-worker', capacity: 100, active: 1 })
    expect(Date.parse(worker?.last_seen_at ?? '')).toBe(service.clock.wallMs())
    await calls.offer()
    expect(await workersOf(next)).toMatchObject({ waiting_jobs: 1, running_jobs: 1 })
    expect([await measured(next, 'jobs_waiting'), await measured(next, 'jobs_running')]).toEqual([1, 1])
    const body = { executionID, grantID, kind: 'check', status: 'success' }
    expect((await next.call('WorkerResult', { role: 'worker', body })).status).toBe(200)
    expect(await workersOf(next)).toMatchObject({ waiting_jobs: 1, running_jobs: 0 })
    expect([await measured(next, 'jobs_granted_total'), await measured(next, 'results_total')]).toEqual([
      1, 1,
    ])
    // Its first sample is of checks that succeeded; the same report again is the same result.
    expect((await next.call('WorkerResult', { role: 'worker', body })).status).toBe(200)
    expect(await measured(next, 'results_total')).toBe(1)
  })

  it('wait with their polls', async () => {
    const next = await served(await TestService.start({ monitors: [] }))
    const capabilities = [{ jobTypeID: 'any', kind: 'check', version: '1' }]
    const body = { workerID: 'berlin-1', capabilities, capacity: 1, limit: 1, waitSeconds: 25 }
    const poll = next.call('WorkerPoll', { role: 'worker', body })
    await expect.poll(() => next.external?.polls.size).toBe(1)
    expect(await workersOf(next)).toMatchObject({ waiting_polls: 1, workers: [{ worker: 'berlin-1' }] })
    expect(await measured(next, 'polls_waiting')).toBe(1)
    next.external?.polls.close()
    expect((await poll).status).toBe(200)
    expect(await workersOf(next)).toMatchObject({ waiting_polls: 0 })
  })

  it('are those that called last, the last first, and of the others only how many', async () => {
    const service = await TestService.start({ monitors: [] })
    const next = await served(service)
    const { external } = next
    if (external === null) throw new Error('no worker is heard here')
    const { roster } = external.table
    for (let number = 0; number < v1Limits.workersShown + 2; number++) {
      roster.seen({ principal: 'fleet', workerId: `w-${number}` }, external.nowMs, 1)
      service.clock.advance(1)
    }
    // A start is a call too, and does not come through the roster.
    const first = roster.find({ principal: 'fleet', workerId: 'w-0' })
    if (first !== undefined) first.lastSeenMs = external.nowMs
    const { workers, more } = (await workersOf(next)) ?? { workers: [], more: 0 }
    expect(workers.slice(0, 2).map(({ worker }) => worker)).toEqual(['w-0', 'w-101'])
    expect([workers.length, more]).toEqual([100, 2])
    expect(workers.map(({ worker }) => worker)).not.toContain('w-1')
    expect(await measured(next, 'workers')).toBe(102)
    service.clock.advance(60_001)
    expect(await measured(next, 'workers')).toBe(0)
    expect((await workersOf(next))?.workers).toHaveLength(100)
  })
})
