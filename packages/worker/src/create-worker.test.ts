import { until } from '@pulseward/testing'
import { ServicePeer } from '@pulseward/testing/worker-peer'
import { describe, expect, it } from 'vitest'
import { check, completed, failure, notification, recovery, rejected, success } from './index.ts'
import { allDelivered, reported, startWorker } from './started-worker.fixture.ts'

describe.concurrent('a worker', () => {
  it('runs what it is granted and reports what the handler says', async () => {
    await using test = await startWorker({
      handlers: {
        'echo@1': (job) => success(job.parameters, { evidence: ['seen'], diagnostic: 'all is well' }),
        'restart@2': recovery({}, () => completed({ data: { tries: 1 } })),
        'page@1': notification({}, () => rejected('no_such_pager', 'nobody has it')),
      },
    })
    const checked = test.peer.submit({ parameters: { queue: 'billing' } })
    const recovered = test.peer.submit({ jobTypeID: 'restart', version: '2', kind: 'recovery' })
    const paged = test.peer.submit({ jobTypeID: 'page', kind: 'notification' })
    expect(await reported(test.peer, checked)).toMatchObject({
      kind: 'check',
      status: 'success',
      data: { queue: 'billing' },
      evidence: ['seen'],
      diagnostic: 'all is well',
      diagnosticTruncated: false,
    })
    expect(await reported(test.peer, recovered)).toMatchObject({ kind: 'recovery', status: 'completed' })
    expect(await reported(test.peer, paged)).toMatchObject({
      kind: 'notification',
      status: 'rejected',
      rejectionCode: 'no_such_pager',
    })
    await allDelivered(test.worker)
    expect(test.worker.status()).toMatchObject({ ready: true, counters: { granted: 3, delivered: 3 } })
  })

  it('asks for no more than each handler has room for, and goes on asking while jobs run', async () => {
    const gates: (() => void)[] = []
    const gated = () =>
      new Promise<ReturnType<typeof success>>((resolve) => gates.push(() => resolve(success())))
    await using test = await startWorker({
      handlers: { 'slow@1': check({ concurrency: 2 }, gated), 'echo@1': () => success() },
    })
    const { peer } = test
    for (let count = 0; count < 5; count++) peer.submit({ jobTypeID: 'slow' })
    await until(() => gates.length === 2)
    await reported(peer, peer.submit())
    expect(gates).toHaveLength(2)
    const asked = peer.polls.filter(({ capabilities }) =>
      capabilities.some(({ jobTypeID }) => jobTypeID === 'slow'),
    )
    expect(Math.max(...asked.map(({ limit }) => limit))).toBe(2)
    expect(peer.polls.at(-1)).toMatchObject({ capacity: 18 })
    gates.shift()?.()
    await until(() => gates.length === 2)
    while (test.worker.status().counters.delivered < 6) {
      gates.shift()?.()
      await new Promise(setImmediate)
    }
  })

  it('reports a handler that throws as without data or unknown, without its secret', async () => {
    await using test = await startWorker({
      credentials: { imap: () => 'hunter2-secret' },
      handlers: {
        'echo@1': (_, { credential }) => {
          throw new Error(`login with ${credential} failed`)
        },
        'restart@1': recovery({}, () => Promise.reject(new Error('it is broken'))),
      },
    })
    const checked = test.peer.submit({ credentialProfile: 'imap' })
    expect(await reported(test.peer, checked)).toMatchObject({
      status: 'noData',
      diagnostic: 'The handler threw: login with [REDACTED] failed',
    })
    const recovered = test.peer.submit({ jobTypeID: 'restart', kind: 'recovery' })
    expect(await reported(test.peer, recovered)).toMatchObject({ status: 'unknown' })
    expect(JSON.stringify(test.entries)).not.toContain('hunter2')
  })

  it('does not run a job whose credential it does not have', async () => {
    let runs = 0
    const count = () => {
      runs++
      return completed()
    }
    await using test = await startWorker({
      handlers: { 'echo@1': () => success(++runs), 'restart@1': recovery({}, count) },
    })
    const checked = test.peer.submit({ credentialProfile: 'imap' })
    const recovered = test.peer.submit({
      jobTypeID: 'restart',
      kind: 'recovery',
      credentialProfile: '../key',
    })
    expect(await reported(test.peer, checked)).toMatchObject({
      status: 'noData',
      diagnostic: expect.stringContaining('credential profile "imap"'),
    })
    expect(await reported(test.peer, recovered)).toMatchObject({ status: 'rejected' })
    expect(runs).toBe(0)
  })

  it.each([-3_600_000, 3_600_000])(
    'keeps deadlines when the clocks are %i ms apart',
    async (clockOffsetMs) => {
      await using peer = await ServicePeer.start()
      peer.clockOffsetMs = clockOffsetMs
      const remaining: number[] = []
      await using _test = await startWorker(
        {
          handlers: {
            'echo@1': async (_, { signal, remainingMs }) => {
              remaining.push(remainingMs())
              await new Promise((resolve) => signal.addEventListener('abort', resolve))
              return failure('too slow')
            },
          },
        },
        peer,
      )
      const executionID = peer.submit({ timeoutMs: 2_000 })
      expect(await reported(peer, executionID)).toMatchObject({ status: 'failure', diagnostic: 'too slow' })
      // A busy machine is late by seconds, never by the hour that the clocks are apart.
      expect(Math.abs(remaining[0]!)).toBeLessThan(60_000)
    },
  )

  it('beats while a job runs and asks its handler to end when the service takes the grant back', async () => {
    await using peer = await ServicePeer.start()
    peer.acceptsHeartbeats = false
    await using test = await startWorker(
      {
        handlers: {
          'echo@1': (_, { signal }) =>
            new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        },
      },
      peer,
    )
    const executionID = peer.submit({ timeoutMs: 3_000 })
    expect(await reported(peer, executionID)).toMatchObject({
      status: 'noData',
      diagnostic: expect.stringContaining('the service took the grant back'),
    })
    expect(peer.execution(executionID).heartbeats).toBe(1)
    expect(test.said('warn')).toContain('A handler is asked to end.')
  })

  it('delivers a late result just the same', async () => {
    await using test = await startWorker({
      handlers: {
        'echo@1': async (_, { signal }) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          await new Promise((resolve) => setTimeout(resolve, 1_200))
          return success('late')
        },
      },
    })
    const executionID = test.peer.submit({ timeoutMs: 500 })
    expect(await reported(test.peer, executionID)).toMatchObject({ status: 'success', data: 'late' })
    await until(() => test.worker.status().counters.deliveredLate === 1)
    expect(test.peer.execution(executionID).disposition).toBe('unknown')
  })

  it('lets handlers end and delivers their results when it is stopped, and takes nothing new on', async () => {
    const gate = Promise.withResolvers<void>()
    await using test = await startWorker({
      drainSeconds: 20,
      handlers: { 'echo@1': () => gate.promise.then(() => success()) },
    })
    const { peer, worker } = test
    const executionID = peer.submit()
    await until(() => worker.status().counters.running === 1)
    const stopped = worker.stop()
    const refused = peer.submit()
    expect(worker.status()).toMatchObject({ ready: false, reason: 'the worker is draining' })
    await until(() => peer.heldPolls === 0)
    gate.resolve()
    await stopped
    await worker.finished
    expect(peer.outcome(executionID)).toMatchObject({ status: 'success' })
    expect(peer.execution(refused).grants).toBe(0)
  })

  it('gives up on handlers that do not end, and says so', async () => {
    await using test = await startWorker({
      drainSeconds: 0,
      handlers: { 'restart@1': recovery({}, () => new Promise<never>(() => {})) },
    })
    const executionID = test.peer.submit({ jobTypeID: 'restart', kind: 'recovery' })
    await until(() => test.worker.status().counters.running === 1)
    await test.worker.stop()
    expect(test.peer.outcome(executionID)).toMatchObject({
      status: 'unknown',
      diagnostic: 'The worker was stopped before the handler had ended.',
    })
  })
})
