import { misbehaviours, ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient, PulsewardError } from './index.ts'

let peer: ReferencePeer
let client: Client

beforeAll(async () => {
  peer = await ReferencePeer.start()
  client = createClient({ baseUrl: peer.url, maxResponseBytes: 100_000 })
})
afterEach(() => peer.misbehave(null))
afterAll(() => peer[Symbol.asyncDispose]())

async function failureOf(call: Promise<unknown>): Promise<PulsewardError> {
  const error = await call.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(PulsewardError)
  return error as PulsewardError
}

const {
  cutsOff,
  dropsConnection,
  hasContentType,
  neverAnswers,
  pads,
  redirects,
  stalls,
  unfolds,
  answersInstead,
} = misbehaviours

/** What goes wrong after the request has left, how a read sees it, and why. */
const troubles = [
  ['the connection drops', dropsConnection, 'transport', 'connectionLost'],
  ['the answer never comes', neverAnswers, 'transport', 'timeout'],
  ['the answer stalls', stalls, 'transport', 'timeout'],
  ['the answer is cut', cutsOff, 'transport', 'answerCut'],
  ['the answer is not JSON', answersInstead({ body: '{"id":' }), 'transport', 'malformedAnswer'],
  ['the answer is empty', answersInstead({ body: '' }), 'transport', 'malformedAnswer'],
  ['the answer is a page', hasContentType('text/html'), 'transport', 'malformedAnswer'],
  ['the answer is too large', pads(200_000), 'oversizedResponse', 'oversizedAnswer'],
  ['the answer unfolds', unfolds(1_000_000_000), 'oversizedResponse', 'oversizedAnswer'],
  ['the answer is a redirect', redirects(307, '/api/v2/state'), 'transport', 'redirect'],
  ['the answer sends it elsewhere', redirects(303, 'http://127.0.0.1:1/'), 'transport', 'redirect'],
] as const

describe.each(troubles)('when %s', (_, misbehaviour, category, reason) => {
  const options = { timeoutMs: reason === 'timeout' ? 150 : 50_000 }

  it('a write is ambiguous and was sent once', async () => {
    peer.misbehave(misbehaviour)
    const before = peer.requests.length
    const error = await failureOf(client.deleteMonitor({ id: 'edge', ifMatch: '42' }, options))
    expect(error).toMatchObject({ category: 'ambiguousMutation', reason, operation: 'deleteMonitor' })
    expect(error.message).toContain('the write may have happened')
    expect(peer.requests).toHaveLength(before + 1)
  })

  it(`a read is ${category}`, async () => {
    peer.misbehave(misbehaviour)
    expect(await failureOf(client.getMonitor({ id: 'edge' }, options))).toMatchObject({ category, reason })
  })
})

describe('cancelling a write', () => {
  it('before it has left is only cancelled, and nothing is sent', async () => {
    const before = peer.requests.length
    const call = client.deleteMonitor({ id: 'edge', ifMatch: '42' }, { signal: AbortSignal.abort() })
    expect(await failureOf(call)).toMatchObject({ category: 'cancelled' })
    expect(peer.requests).toHaveLength(before)
  })

  it('after it has left is ambiguous', async () => {
    peer.misbehave(neverAnswers)
    const controller = new AbortController()
    const call = client.deleteMonitor({ id: 'edge', ifMatch: '42' }, { signal: controller.signal })
    await peer.nextRequest()
    controller.abort()
    expect(await failureOf(call)).toMatchObject({ category: 'ambiguousMutation', reason: 'cancelled' })
  })
})

describe('a long poll', () => {
  it('is given the time that it asked the service to wait', async () => {
    peer.misbehave((response, { status, headers, body }) => {
      setTimeout(() => response.writeHead(status, headers).end(body), 300)
    })
    const capability = { jobTypeID: 'queue-depth', version: '1', kind: 'check' } as const
    const body = { workerID: 'w', capabilities: [capability], capacity: 1, limit: 1, waitSeconds: 5 }
    const { data } = await client.workerPoll({ body }, { timeoutMs: 100 })
    expect(data.items).toHaveLength(1)
  })
})
