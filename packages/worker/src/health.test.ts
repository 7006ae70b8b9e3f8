import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { temporaryFolder, until } from '@pulseward/testing'
import { ServicePeer } from '@pulseward/testing/worker-peer'
import { describe, expect, it } from 'vitest'
import { credentialsFrom } from './credentials.ts'
import { createWorker, success } from './index.ts'
import { startWorker } from './started-worker.fixture.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('the health endpoint', () => {
  it('says whether the worker can take work on, and what it has done', async () => {
    await using peer = await ServicePeer.start()
    let isFaulty = true
    peer.fault = (verb) => (verb === 'poll' && isFaulty ? { status: 503 } : null)
    const port = await freePort()
    await using test = await startWorker({ health: { port }, workerID: 'berlin-1' }, peer)
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    expect((await get('/live')).status).toBe(200)
    await until(() => test.worker.status().reason.includes('503'))
    const unready = await get('/ready')
    expect([unready.status, ((await unready.json()) as { ready: boolean }).ready]).toEqual([503, false])
    isFaulty = false
    peer.submit()
    await until(() => test.worker.status().counters.delivered === 1)
    const ready = await get('/ready')
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { ready: true, workerID: 'berlin-1', undelivered: 0, counters: { delivered: 1 } },
    ])
    expect(await (await get('/metrics')).text()).toContain('pulseward_worker_delivered_total 1\n')
    expect((await get('/other')).status).toBe(404)
  })

  it('that cannot listen keeps the worker from starting, with a sentence', async () => {
    using folder = temporaryFolder()
    await using peer = await ServicePeer.start()
    const port = Number(new URL(peer.url).port)
    const worker = createWorker({
      server: peer.url,
      token: peer.token,
      journal: folder.path('worker.journal'),
      handlers: { 'echo@1': () => success() },
      health: { port },
      log: false,
    })
    await expect(worker.start()).rejects.toMatchObject({ code: 'healthUnavailable' })
    expect(peer.polls).toHaveLength(0)
  })
})

describe('credentials', () => {
  it('come from options, and functions are asked each time', async () => {
    let count = 0
    const find = credentialsFrom({ fixed: 'one', fresh: () => `two-${++count}` })
    expect(await Promise.all(['fixed', 'fresh', 'fresh', 'constructor'].map(find))).toEqual([
      'one',
      'two-1',
      'two-2',
      null,
    ])
  })

  it('come from files of a folder, and from nowhere else', async () => {
    using folder = temporaryFolder({ 'secrets/imap-eu': 'hunter2\n', outside: 'no' })
    const find = credentialsFrom(folder.path('secrets'))
    expect(await Promise.all(['imap-eu', 'missing', '../outside', '..', ''].map(find))).toEqual([
      'hunter2',
      null,
      null,
      null,
      null,
    ])
  })
})
