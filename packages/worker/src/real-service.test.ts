// The library against the real service: a process that was started as people start it, with job types and monitors that were
// created through v2.
import { readFileSync } from 'node:fs'
import { v2 } from '@pulseward/contract'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { createToken, RunningCommand, type RunningService } from '@pulseward/testing/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  accepted,
  check,
  createWorker,
  delivered,
  failure,
  notification,
  recovery,
  success,
  type Worker,
  type WorkerOptions,
} from './index.ts'

let folder: TemporaryFolder
let service: RunningService
let operator: string
let token: string
const workers: Worker[] = []

beforeEach(async () => {
  folder = temporaryFolder()
  const words = ['--edition', 'next', '--data', folder.path('data')]
  service = await RunningCommand.serve(words, { environment: { PULSEWARD_EXTERNAL_JOBS: 'true' } })
  operator = readFileSync(folder.path('data/operator.token'), 'utf8').trim()
  const jobTypes = ['depth', 'restart', 'page']
  token = await createToken(folder.path('data'), { name: 'berlin', role: 'worker', jobTypes })
  await create('job-types', 'JobType', 'depth', { ...jobType('check'), resultSchema: depthResult })
  await create('job-types', 'JobType', 'restart', jobType('recovery'))
  await create('job-types', 'JobType', 'page', jobType('notification'))
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  await service[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const depthResult = {
  type: 'object',
  properties: { depth: { type: 'integer' } },
  required: ['depth'],
} as const
const jobType = (kind: string) => ({
  version: '1',
  kind,
  handler: 'any',
  protocolVersion: '1',
  parameterSchema: { type: 'object' },
  resultSchema: true,
})

async function create(path: string, kind: string, id: string, spec: object): Promise<void> {
  const response = await fetch(`${service.url}/api/v2/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${operator}`,
      'content-type': 'application/json',
      'if-none-match': '*',
    },
    body: JSON.stringify({ apiVersion: v2.apiVersion, kind, metadata: { id }, spec }),
  })
  expect([response.status, await response.text()]).toEqual([201, expect.anything()])
}

async function read<Body>(path: string): Promise<Body> {
  const response = await fetch(`${service.url}/api/v2/${path}`, {
    headers: { authorization: `Bearer ${operator}` },
  })
  return (await response.json()) as Body
}

async function work(handlers: WorkerOptions['handlers'], more: Partial<WorkerOptions> = {}): Promise<Worker> {
  const journal = folder.path(`journal-${workers.length}`)
  const worker = createWorker({
    server: service.url,
    token,
    journal,
    signals: false,
    log: () => {},
    handlers,
    ...more,
  })
  workers.push(worker)
  await worker.start()
  return worker
}

const depth = { driver: { type: 'depth', config: { queue: 'billing' } }, interval: '1s', timeout: '1s' }
const statusOf = async (id: string) => (await read<v2.Monitor>(`monitors/${id}`)).status

describe('a worker of the real service', () => {
  it('checks, recovers and notifies, and is seen by the operator', { tags: 'long' }, async () => {
    await create('notification-endpoints', 'NotificationEndpoint', 'pager', { type: 'page', config: {} })
    await create('monitors', 'Monitor', 'queue', {
      check: { ...depth, unhealthyThreshold: 1 },
      recovery: { driver: { type: 'restart', config: { unit: 'broker' } }, timeout: '5s', settle: '1s' },
      notifications: { red: { endpointRefs: ['pager'] } },
    })
    const seen: string[] = []
    let isBroken = true
    await work({
      'depth@1': check({ resultSchema: depthResult }, async () =>
        isBroken ? failure('the queue is full') : success({ depth: 3 }),
      ),
      'restart@1': recovery({}, async ({ parameters, intervention }) => {
        seen.push(
          `recovers ${JSON.stringify(parameters)} for ${intervention.monitorID}: ${intervention.seen}`,
        )
        return accepted()
      }),
      'page@1': notification({}, async ({ notification: { color, summary } }) => {
        seen.push(`${color}: ${summary}`)
        return delivered()
      }),
    })
    await eventually(() => expect(seen).toHaveLength(2))
    expect(seen[0]).toBe('recovers {"unit":"broker"} for queue: the queue is full')
    expect(seen[1]).toMatch(/^red: .*queue.*the queue is full/)
    isBroken = false
    await eventually(async () => expect(await statusOf('queue')).toMatchObject({ health: 'healthy' }))
    const { items } = await read<v2.WorkerObservationList>('external-workers')
    expect(items).toMatchObject([{ capacity: expect.any(Number), lastSeenAt: expect.any(String) }])
  })

  it('says noData instead of a result that does not fit, and the monitor says why', {
    tags: 'long',
  }, async () => {
    await create('monitors', 'Monitor', 'queue', { check: depth })
    let calls = 0
    await work({
      'depth@1': async () => {
        calls++
        return success({ depth: 'deep' })
      },
    })
    await eventually(() => expect(calls).toBeGreaterThan(1))
    await eventually(async () => expect(await statusOf('queue')).toMatchObject({ health: 'unknown' }))
  })

  it('goes on with a service that was killed and started again', { tags: 'long' }, async () => {
    await create('monitors', 'Monitor', 'queue', { check: depth })
    const executions: string[] = []
    await work({
      'depth@1': async ({ executionID }) => {
        executions.push(executionID)
        return success({ depth: 1 })
      },
    })
    await eventually(() => expect(executions.length).toBeGreaterThan(0))
    const { port } = new URL(service.url)
    service.signal('SIGKILL')
    await service.ended
    const words = [
      'serve',
      '--listen',
      `127.0.0.1:${port}`,
      '--edition',
      'next',
      '--data',
      folder.path('data'),
    ]
    const again = new RunningCommand(words, { environment: { PULSEWARD_EXTERNAL_JOBS: 'true' } })
    await again.until('stdout', /^Stop /m)
    service = Object.assign(again, { url: service.url })
    const before = executions.length
    await eventually(() => expect(executions.length).toBeGreaterThan(before + 1))
    expect(new Set(executions).size).toBe(executions.length)
  })

  it('is refused by the service what it was not granted, and says so', { tags: 'long' }, async () => {
    const lines: string[] = []
    await work(
      { 'other@1': async () => success({}) },
      { log: ({ msg, ...rest }) => lines.push(`${msg} ${JSON.stringify(rest)}`) },
    )
    await eventually(() => expect(lines.join('\n')).toMatch(/not granted/))
  })
})
