// The client library against the peer that keeps to the contract and against the service itself: what holds for the one
// holds for the other. What a client sends byte for byte, and how it takes misbehaviour, only the peer can show
// (operations.test.ts, preconditions.test.ts, ambiguity.test.ts, errors.test.ts, transport.test.ts).
import { v2 } from '@pulseward/contract'
import { mistakesIn } from '@pulseward/testing/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, PulsewardError, type Response } from './index.ts'
import { type Given, methodName, type Peer, peers } from './peers.fixture.ts'

type AnyMethod = (given: Given) => Promise<Response<unknown>>

async function failureOf(call: Promise<unknown>): Promise<PulsewardError> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(PulsewardError)
  return error as PulsewardError
}

const monitor = (id: string): v2.Monitor => ({
  apiVersion: 'pulseward/v2',
  kind: 'Monitor',
  metadata: { id },
  spec: {
    check: { driver: { type: 'http', config: { url: 'http://shop.test/' } }, interval: '10s', timeout: '5s' },
  },
})

describe.each(peers)('against %s', (_, start) => {
  let peer: Peer
  let client: Client
  beforeAll(async () => {
    peer = await start()
    client = peer.client
  })
  afterAll(() => peer[Symbol.asyncDispose]())

  it.each(v2.operationNames)('%s gives all parts of the answer, or says why not', async (name) => {
    const call = client[methodName(name)] as unknown as AnyMethod
    const failure = peer.failureOf(name)
    const given = await peer.givenFor(name)
    if (failure !== null) {
      expect(await failureOf(call(given))).toMatchObject({ category: failure, operation: methodName(name) })
      return
    }
    const { status, answer } = v2.successOf(v2.operations[name])
    const response = await call(given)
    expect(mistakesIn(answer.schema ?? {}, response.data)).toEqual([])
    const headers = answer.headers?.properties ?? {}
    expect([response.statusCode, response.requestId !== '']).toEqual([status, true])
    expect(response.operationId !== '').toBe('X-Operation-ID' in headers)
    expect(response.resourceVersion !== '').toBe('ETag' in headers)
  })

  it('takes the version of an answer as the next precondition', async () => {
    const created = await client.createMonitor({ body: monitor('chain'), ifNoneMatch: '*' })
    const id = created.data.metadata.id
    const patched = await client.patchMonitor({
      id,
      ifMatch: created.resourceVersion,
      body: { spec: { enabled: false, recovery: null } },
    })
    const { data } = await client.deleteMonitor({ id, ifMatch: patched.resourceVersion })
    expect((await client.waitForOperation({ id: data.id })).data.state).toBe('completed')
  })

  it('goes through a list, page by page', async () => {
    const ids: string[] = []
    for await (const { metadata } of client.listMonitors.all({ limit: 500 })) ids.push(metadata.id)
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('reads v1 with the same token, and streams the metrics', async () => {
    const { data } = await client.v1.listMonitors({ size: 1 })
    expect((await client.v1.getMonitor({ id: data.monitors[0]?.id ?? 0 })).statusCode).toBe(200)
    for (const read of [client.v1.getOverview, client.v1.getHistory, client.v1.getSLO, client.v1.getConfig])
      expect((await read()).statusCode).toBe(200)
    const { data: streamed } = await client.streamMetrics(new WritableStream())
    expect(streamed.byteCount).toBeGreaterThan(0)
  })
})

describe('what only the served edition can show, since the reference peer has no state', () => {
  let peer: Peer
  beforeAll(async () => {
    const [, [, start]] = peers as [(typeof peers)[number], (typeof peers)[number]]
    peer = await start()
  })
  afterAll(() => peer[Symbol.asyncDispose]())

  it('a write of a version that is not there any more is a conflict, and so is a second create', async () => {
    const { client } = peer
    const body = monitor('conflict')
    const { resourceVersion } = await client.createMonitor({ body, ifNoneMatch: '*' })
    const again = await failureOf(client.createMonitor({ body, ifNoneMatch: '*' }))
    expect(again).toMatchObject({ category: 'conflict', code: 'versionConflict', statusCode: 412 })
    const patch = { id: 'conflict', ifMatch: resourceVersion, body: { spec: { enabled: false } } }
    await client.patchMonitor(patch)
    expect(await failureOf(client.patchMonitor(patch))).toMatchObject({ category: 'conflict' })
    const ofFile = client.patchMonitor({ ...patch, id: 'up' })
    expect(await failureOf(ofFile)).toMatchObject({ category: 'conflict', code: 'managedByFile' })
  })

  it('what is not there is not found, and what is wrong is named field by field', async () => {
    const { client } = peer
    expect(await failureOf(client.getMonitor({ id: 'nobody' }))).toMatchObject({ category: 'notFound' })
    const body = { ...monitor('wrong'), spec: { ...monitor('wrong').spec, dependsOn: ['nobody'] } }
    const error = await failureOf(client.createMonitor({ body, ifNoneMatch: '*' }))
    expect(error).toMatchObject({ category: 'invalidInput', statusCode: 422, code: 'invalidResource' })
    expect(error.problem?.errors).toEqual([
      { field: '/spec/dependsOn/0', reason: 'notFound', message: 'there is no monitor "nobody"' },
    ])
  })

  it('pages of one row each show every row once', async () => {
    const { client } = peer
    for (const id of ['page-1', 'page-2', 'page-3'])
      await client.createMonitor({ body: monitor(id), ifNoneMatch: '*' })
    const ids: string[] = []
    for await (const { metadata } of client.listMonitors.all({ limit: 1 })) ids.push(metadata.id)
    expect(ids).toEqual([...new Set(ids)].sort())
    expect(ids).toEqual(expect.arrayContaining(['page-1', 'page-2', 'page-3', 'up']))
  })
})
