import { setTimeout as delay } from 'node:timers/promises'
import { Random, temporaryFolder, until } from '@pulseward/testing'
import { ServicePeer } from '@pulseward/testing/worker-peer'
import { describe, expect, it } from 'vitest'
import { readAudit, startWorkerProcess } from './worker-process.fixture.ts'

const unanswered = (peer: ServicePeer) =>
  [...peer.executions.values()].filter(({ receiptID }) => receiptID === '')

describe('a worker process', () => {
  it('runs no execution twice and loses no result, however often it and the service are killed', {
    tags: 'long',
  }, async () => {
    using folder = temporaryFolder()
    await using peer = await ServicePeer.start()
    const random = new Random(20)
    // The service grants again what it has no result of: only the journal stands between that and a second run.
    peer.grantsAgain = true
    peer.fault = (verb) => {
      if (verb === 'poll' || random.next() > 0.1) return null
      return { lose: random.next() < 0.5 ? 'answer' : 'request' }
    }
    const { url, token } = peer
    const audit = folder.path('audit')
    const options = { url, token, journal: folder.path('worker.journal'), audit }
    for (let round = 0; round < 12; round++) {
      await using worker = startWorkerProcess(options)
      for (let count = 0; count < 15; count++) {
        const isCheck = random.next() < 0.5
        const job = isCheck
          ? ({ jobTypeID: 'echo', kind: 'check' } as const)
          : ({ jobTypeID: 'restart', kind: 'recovery' } as const)
        peer.submit({ ...job, parameters: Math.floor(random.next() * 40) })
      }
      const before = readAudit(audit).began.length
      const more = Math.floor(random.next() * 12)
      await until(() => readAudit(audit).began.length >= before + more)
      await delay(random.next() * 30)
      if (round % 3 === 2) await peer.kill()
      await delay(random.next() * 30)
      worker.child.kill('SIGKILL')
      await worker.ended()
      if (round % 3 === 2) await peer.listen()
    }
    peer.fault = () => null
    await using _last = startWorkerProcess(options)
    await until(() => unanswered(peer).length === 0)

    const { began, ended } = readAudit(audit)
    expect(new Set(began).size).toBe(began.length)
    const succeeded = [...peer.executions.keys()].filter((id) =>
      /^(success|completed)$/.test(peer.outcome(id)?.status ?? ''),
    )
    expect(new Set(ended)).toEqual(new Set([...ended, ...succeeded]))
    // What is not known is told as not known: check and action each in their way.
    const others = [...peer.executions.values()].filter(({ offer }) => !succeeded.includes(offer.executionID))
    const allowed = { check: 'noData', recovery: 'unknown', notification: 'unknown' }
    for (const { offer } of others) {
      expect(peer.outcome(offer.executionID)?.status).toBe(allowed[offer.kind])
    }
    expect(others.length).toBeGreaterThan(0)
    expect(succeeded.length).toBeGreaterThan(60)
  })

  it('reports what it was doing when it was killed, and does not do it again', { tags: 'long' }, async () => {
    using folder = temporaryFolder()
    await using peer = await ServicePeer.start()
    const audit = folder.path('audit')
    const options = { url: peer.url, token: peer.token, journal: folder.path('worker.journal'), audit }
    const checked = peer.submit({ parameters: 600_000 })
    const recovered = peer.submit({ jobTypeID: 'restart', kind: 'recovery', parameters: 600_000 })
    {
      await using _killed = startWorkerProcess(options)
      await until(() => readAudit(audit).began.length === 2)
    }
    await using _worker = startWorkerProcess(options)
    await until(() => unanswered(peer).length === 0)
    const diagnostic = 'The worker ended while the handler may have run. It is not run again.'
    expect(peer.outcome(checked)).toMatchObject({ status: 'noData', diagnostic })
    expect(peer.outcome(recovered)).toMatchObject({ status: 'unknown', diagnostic })
    expect(readAudit(audit).began).toHaveLength(2)
  })

  it('ends by itself after SIGTERM, when its jobs have ended and are delivered', {
    tags: 'long',
  }, async () => {
    using folder = temporaryFolder()
    await using peer = await ServicePeer.start()
    const audit = folder.path('audit')
    const executionID = peer.submit({ parameters: 1_000 })
    await using worker = startWorkerProcess({
      url: peer.url,
      token: peer.token,
      journal: folder.path('worker.journal'),
      audit,
    })
    await until(() => readAudit(audit).began.length === 1)
    worker.child.kill('SIGTERM')
    expect(await worker.ended()).toBe(0)
    expect(peer.outcome(executionID)).toMatchObject({ status: 'success', data: executionID })
    const lines = worker
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ level: 'info', msg: 'The worker has stopped.', undelivered: 0 })
  })

  it('ends at once after a second SIGTERM', { tags: 'long' }, async () => {
    using folder = temporaryFolder()
    await using peer = await ServicePeer.start()
    const audit = folder.path('audit')
    peer.submit({ parameters: 600_000 })
    await using worker = startWorkerProcess({
      url: peer.url,
      token: peer.token,
      journal: folder.path('worker.journal'),
      audit,
    })
    await until(() => readAudit(audit).began.length === 1)
    worker.child.kill('SIGTERM')
    await until(() => worker.log().includes('SIGTERM'))
    worker.child.kill('SIGTERM')
    expect(await worker.ended()).toBe('SIGTERM')
  })
})
