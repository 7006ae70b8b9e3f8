import { v1Api } from '@pulseward/contract/v1/api'
import { metricsText, misbehaviours, problemAnswer, ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from './index.ts'

let peer: ReferencePeer
let client: Client

beforeAll(async () => {
  peer = await ReferencePeer.start()
  client = createClient({ baseUrl: peer.url })
})
afterEach(() => peer.misbehave(null))
afterAll(() => peer[Symbol.asyncDispose]())

const { examples } = v1Api

describe('the reads of v1', () => {
  it('are these sixteen, and each is a GET of its path', async () => {
    const calls = [
      [client.v1.getConfig(), '/api/v1/config', examples.Config],
      [client.v1.getLive(), '/api/v1/healthz', examples.Healthz],
      [client.v1.getReady(), '/api/v1/readyz', examples.CandidateReadyz],
      [client.v1.getMetrics(), '/metrics', metricsText],
      [client.v1.getHistory(), '/api/v1/history', examples.NextHistory],
      [client.v1.getState(), '/api/v1/state', examples.NextState],
      [client.v1.getSLO(), '/api/v1/slo', examples.Slo],
      [client.v1.getOverview(), '/api/v1/overview', examples.NextOverview],
      [client.v1.listMonitors(), '/api/v1/monitors', examples.NextMonitorList],
      [client.v1.getMonitor({ id: 7 }), '/api/v1/monitors/7', examples.NextMonitorDetail],
      [client.v1.listIncidents(), '/api/v1/incidents', examples.NextIncidentList],
      [client.v1.getQueues(), '/api/v1/queues', examples.Queues],
      [client.v1.getQueueHistory(), '/api/v1/queues/history', examples.QueueSeries],
      [client.v1.getPools(), '/api/v1/pools', examples.Pools],
      [client.v1.getPoolHistory(), '/api/v1/pools/history', examples.PoolSeries],
      [client.v1.getSystems(), '/api/v1/systems', examples.Systems],
    ] as const
    for (const [call, , example] of calls) expect((await call).data).toEqual(example)
    expect(Object.keys(client.v1)).toHaveLength(calls.length)
    expect(calls).toHaveLength(16)
    const paths = peer.requests.map(({ method, path }) => `${method} ${path}`)
    expect(paths.sort()).toEqual(calls.map(([, path]) => `GET ${path}`).sort())
  })

  it('send their filters', async () => {
    await client.v1.listMonitors({ page: 2, size: 10, status: 'down', type: 'http', code: 'red', q: 'ä&b' })
    const filters = { page: '2', size: '10', status: 'down', type: 'http', code: 'red', q: 'ä&b' }
    expect(peer.lastRequest.query).toEqual(filters)
  })

  it('give the reasons of a service that is not ready as data, with its status', async () => {
    const body = JSON.stringify({ status: 'not_ready', reasons: ['no_snapshot'] })
    peer.misbehave(misbehaviours.answersInstead({ status: 503, body }))
    const { data, statusCode } = await client.v1.getReady()
    expect([statusCode, data.status]).toEqual([503, 'not_ready'])
    peer.misbehave(misbehaviours.answersInstead(problemAnswer(503, 'unavailable')))
    await expect(client.v1.getReady()).rejects.toMatchObject({ category: 'unavailable', code: 'unavailable' })
    await expect(client.v1.getOverview()).rejects.toMatchObject({ category: 'unavailable', statusCode: 503 })
  })
})
