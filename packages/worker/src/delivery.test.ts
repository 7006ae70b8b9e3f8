import { until } from '@pulseward/testing'
import { type Fault, ServicePeer } from '@pulseward/testing/worker-peer'
import { describe, expect, it } from 'vitest'
import { recovery, success, unknown } from './index.ts'
import { allDelivered, reported, startWorker } from './started-worker.fixture.ts'

/** The fault for the first calls of a verb, and none after them. */
function first(count: number, verb: string, fault: Fault): ServicePeer['fault'] {
  let left = count
  return (called) => (called === verb && left-- > 0 ? fault : null)
}

describe.concurrent('results', () => {
  it('are sent again until a receipt comes, and are the same every time', async () => {
    await using peer = await ServicePeer.start()
    peer.fault = first(2, 'result', { lose: 'answer' })
    await using test = await startWorker({ handlers: { 'echo@1': () => success(Math.random()) } }, peer)
    const executionID = peer.submit()
    await reported(peer, executionID)
    await until(() => peer.execution(executionID).receipts === 3)
    await allDelivered(test.worker)
    expect(test.worker.status().counters).toMatchObject({ delivered: 1, conflicts: 0 })
  })

  it.each<Fault>([
    { lose: 'request' },
    { status: 500, code: 'internalError' },
    { status: 503, code: 'unavailable', headers: { 'Retry-After': '1' } },
    { status: 429, code: 'tooBusy', headers: { 'Retry-After': '1' } },
    { status: 404 },
    { status: 502 },
  ])('are kept while the service answers %j', async (fault) => {
    await using peer = await ServicePeer.start()
    let isFaulty = true
    peer.fault = (verb) => (verb === 'result' && isFaulty ? fault : null)
    await using test = await startWorker({}, peer)
    const executionID = peer.submit({ parameters: 7 })
    await until(() => test.said('error').some((msg) => msg.startsWith('Results cannot be delivered')))
    expect(test.worker.status().undelivered).toBe(1)
    isFaulty = false
    // A status for people is asked again only after 30 s; stopping hurries.
    await test.worker.stop()
    expect(peer.outcome(executionID)).toMatchObject({ status: 'success', data: 7 })
    expect(test.worker.status().undelivered).toBe(0)
  })

  it('wait as long as Retry-After says', async () => {
    await using peer = await ServicePeer.start()
    let refusedAt = 0
    const fault: Fault = { status: 503, code: 'unavailable', headers: { 'Retry-After': '2' } }
    const once = first(1, 'result', fault)
    peer.fault = (verb, body) => {
      const answer = once(verb, body)
      if (answer !== null) refusedAt = performance.now()
      return answer
    }
    await using _test = await startWorker({}, peer)
    await reported(peer, peer.submit())
    expect(performance.now() - refusedAt).toBeGreaterThan(1_900)
  })

  it('of an execution that the service does not know are given up loudly', { tags: 'long' }, async () => {
    await using test = await startWorker({
      handlers: {
        'echo@1': (job) => {
          test.peer.executions.delete(job.executionID)
          return success()
        },
      },
    })
    test.peer.submit()
    await until(() => test.worker.status().counters.dropped === 1)
    expect(test.said('error')).toContain(
      'The service does not know this execution any more. Its result is given up.',
    )
    expect(test.worker.status().undelivered).toBe(0)
  })

  it('that contradict what the service has are given up', async () => {
    await using test = await startWorker({
      handlers: {
        'echo@1': (job) => {
          test.peer.execution(job.executionID).result = 'of somebody else'
          return success()
        },
      },
    })
    test.peer.submit()
    await until(() => test.worker.status().counters.conflicts === 1)
    await allDelivered(test.worker)
  })

  it.each(['check', 'recovery'] as const)(
    'of a %s that do not fit their schema say so instead',
    async (kind) => {
      await using peer = await ServicePeer.start()
      const fault: Fault = {
        status: 422,
        code: 'invalidResource',
        detail: '/data/latencyMs: must be a number',
      }
      peer.fault = (verb, body) => (verb === 'result' && 'data' in body ? fault : null)
      const handler = kind === 'check' ? () => success('x') : recovery({}, () => unknown('', { data: 'x' }))
      await using test = await startWorker({ handlers: { 'echo@1': handler } }, peer)
      const outcome = await reported(peer, peer.submit({ kind }))
      expect(outcome).toMatchObject({ status: kind === 'check' ? 'noData' : 'unknown' })
      expect(outcome.diagnostic).toContain('/data/latencyMs: must be a number')
      expect(outcome).not.toHaveProperty('data')
      await allDelivered(test.worker)
      expect(test.worker.status().counters.refused).toBe(1)
    },
  )

  it('that are refused whatever they say are given up', async () => {
    await using peer = await ServicePeer.start()
    peer.fault = (verb) => (verb === 'result' ? { status: 422, code: 'invalidResource' } : null)
    await using test = await startWorker({}, peer)
    peer.submit()
    await until(() => test.said('error').some((msg) => msg.includes('refuses every result')))
    expect(test.worker.status().undelivered).toBe(0)
  })

  it('fill the outbox up to its limit; then no work is taken on until some are delivered', async () => {
    await using peer = await ServicePeer.start()
    let isFaulty = true
    peer.fault = (verb) => (verb === 'result' && isFaulty ? { status: 503 } : null)
    await using test = await startWorker({ outboxLimit: 5, concurrency: 3 }, peer)
    for (let count = 0; count < 12; count++) peer.submit()
    await until(() => test.worker.status().undelivered === 5)
    await until(() => test.worker.status().reason !== '')
    expect(test.worker.status()).toMatchObject({
      ready: false,
      reason: 'the outbox is full: 5 results wait for the service',
    })
    expect(test.worker.status().counters.granted).toBe(5)
    expect(test.said('error').filter((msg) => msg === 'No new work is taken on.')).toHaveLength(1)
    isFaulty = false
    await until(() => test.worker.status().counters.delivered === 12)
  })
})

describe.concurrent('starts', () => {
  it('run nothing when the answer was lost: a repeated start is not permission', async () => {
    await using peer = await ServicePeer.start()
    peer.fault = first(1, 'start', { lose: 'answer' })
    let runs = 0
    await using test = await startWorker({ handlers: { 'echo@1': () => success(++runs) } }, peer)
    const executionID = peer.submit()
    await until(() => test.worker.status().counters.notGranted === 1)
    expect(peer.execution(executionID).grants).toBe(1)
    expect(runs).toBe(0)
  })

  it('report the lost grant where the service names it', async () => {
    await using peer = await ServicePeer.start()
    peer.namesGrant = true
    peer.fault = first(1, 'start', { lose: 'answer' })
    let runs = 0
    await using _test = await startWorker({ handlers: { 'echo@1': () => success(++runs) } }, peer)
    expect(await reported(peer, peer.submit())).toMatchObject({
      status: 'noData',
      diagnostic: 'The answer to the start was lost, so the handler was not run.',
    })
    expect(runs).toBe(0)
  })

  it('are asked again when the first never arrived', async () => {
    await using peer = await ServicePeer.start()
    peer.fault = first(1, 'start', { lose: 'request' })
    await using _test = await startWorker({}, peer)
    expect(await reported(peer, peer.submit())).toMatchObject({ status: 'success' })
  })

  it('run an execution once although the service grants it again', { tags: 'long' }, async () => {
    await using peer = await ServicePeer.start()
    peer.grantsAgain = true
    // The result never gets through, so the execution stays on offer.
    peer.fault = (verb) => (verb === 'result' ? { lose: 'request' } : null)
    const runs: string[] = []
    await using test = await startWorker(
      {
        handlers: {
          'echo@1': (job) => {
            runs.push(job.executionID)
            peer.execution(job.executionID).leaseEndsAt = 0
            return success()
          },
        },
      },
      peer,
    )
    const executionID = peer.submit()
    await until(() => test.said('error').some((msg) => msg.includes('had before')))
    expect(runs).toEqual([executionID])
  })
})

describe.concurrent('a service', () => {
  it('that is gone and comes back gets what it missed', async () => {
    const gate = Promise.withResolvers<void>()
    await using test = await startWorker({ handlers: { 'echo@1': () => gate.promise.then(() => success()) } })
    const { peer, worker } = test
    const executionID = peer.submit()
    await until(() => worker.status().counters.running === 1)
    await peer.kill()
    gate.resolve()
    await until(() => !worker.status().ready && worker.status().undelivered === 1)
    await peer.listen()
    expect(await reported(peer, executionID)).toMatchObject({ status: 'success' })
    expect(await reported(peer, peer.submit())).toMatchObject({ status: 'success' })
    await until(() => worker.status().ready)
  })

  it.each([
    [{ status: 401, code: 'unauthorized' }, 'does not accept the token'],
    [{ status: 403, code: 'forbidden' }, 'may not run these job types'],
    [{ status: 501, code: 'featureUnavailable' }, 'runs without external jobs'],
    [{ status: 404, code: 'api_version_not_served' }, 'runs without external jobs'],
    [{ status: 422, code: 'invalidResource' }, 'does not know these job types in these versions'],
  ])('that refuses polls with %j is told in a sentence, and is asked again', async (fault, sentence) => {
    await using peer = await ServicePeer.start()
    peer.fault = first(2, 'poll', fault)
    await using test = await startWorker({}, peer)
    await reported(peer, peer.submit())
    const refusals = test.said('error').filter((msg) => msg.includes(sentence))
    expect(refusals).toHaveLength(1)
  })

  it('that answers with words of a later version grants nothing', async () => {
    await using peer = await ServicePeer.start()
    peer.fault = (verb) => (verb === 'start' ? { instead: { disposition: 'granted-in-part' } } : null)
    let runs = 0
    await using test = await startWorker({ handlers: { 'echo@1': () => success(++runs) } }, peer)
    peer.submit()
    await until(() => test.worker.status().counters.notGranted === 1)
    expect(runs).toBe(0)
  })
})
