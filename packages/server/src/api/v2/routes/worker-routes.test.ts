// What workers send that is wrong, over HTTP: each mistake has its code, and changes nothing.
import { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { serveNext, troubledFleet, V2Calls, withExternalJobs } from '@pulseward/testing/editions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let calls: V2Calls
beforeAll(async () => {
  calls = await V2Calls.begin(await serveNext(await troubledFleet(), withExternalJobs))
})
afterAll(() => calls.next[Symbol.asyncDispose]())

const call = (name: v2.OperationName, body: object) => calls.next.call(name, { role: 'worker', body })
const check = { kind: 'check', status: 'success' } as const

describe('a worker', () => {
  it('is not known by another grant, and its own still counts after that', async () => {
    const { executionID, grantID } = await calls.grant()
    const wrong = { executionID, grantID: 'another', ...check }
    await expectV2Problem('WorkerResult', await call('WorkerResult', wrong), 'notFound')
    const heartbeat = { workerID: 'berlin-1', executionID, grantID: 'another' }
    await expectV2Problem('WorkerHeartbeat', await call('WorkerHeartbeat', heartbeat), 'notFound')
    const right = { executionID, grantID, ...check }
    expect(await expectV2Answer('WorkerResult', await call('WorkerResult', right))).toMatchObject({
      disposition: 'finalized',
    })
    const after = await expectV2Answer(
      'WorkerHeartbeat',
      await call('WorkerHeartbeat', { workerID: 'berlin-1', executionID, grantID }),
    )
    expect(after.accepted).toBe(false)
  })

  it.each([
    ['another kind of job', { kind: 'recovery', status: 'completed' }, '/kind'],
    ['a status of another kind', { kind: 'check', status: 'delivered' }, '/status'],
    ['a rejection code without a rejection', { ...check, rejectionCode: 'busy' }, '/rejectionCode'],
    ['a latency longer than any job', { ...check, data: { latencyMs: 1e39 } }, '/data/latencyMs'],
    ['a negative latency', { ...check, data: { latencyMs: -1 } }, '/data/latencyMs'],
    ['evidence that is too large', { ...check, evidence: ['x'.repeat(4097)] }, '/evidence/0'],
    ['too many pieces of evidence', { ...check, evidence: Array(65).fill('x') }, '/evidence'],
    ['a diagnostic that is too long', { ...check, diagnostic: 'ü'.repeat(32_769) }, '/diagnostic'],
  ])('is told of %s, and may report again', async (_, words, field) => {
    const grant = await calls.grant()
    const { errors = [] } = await expectV2Problem(
      'WorkerResult',
      await call('WorkerResult', { ...grant, ...words }),
      'invalidResource',
    )
    expect(errors.map((error) => error.field)).toEqual([field])
    await expectV2Answer('WorkerResult', await call('WorkerResult', { ...grant, ...check }))
  })

  it('may not poll for what its principal was not granted', async () => {
    const capability = { jobTypeID: 'payroll', version: '1', kind: 'check' }
    const body = { workerID: 'w', capabilities: [capability], capacity: 1, limit: 1, waitSeconds: 0 }
    const { detail } = await expectV2Problem('WorkerPoll', await call('WorkerPoll', body), 'forbidden')
    expect(detail).toContain('was not granted')
    expect(detail).not.toContain('payroll')
  })

  it('adds evidence once under each name, and at most 64 pieces', async () => {
    const { executionID, grantID } = await calls.grant()
    const { receiptID } = await expectV2Answer(
      'WorkerResult',
      await call('WorkerResult', { executionID, grantID, ...check }),
    )
    const add = (evidenceID: string, diagnostic = 'seen') =>
      call('WorkerLateEvidence', { executionID, evidenceID, originalReceiptID: receiptID, diagnostic })
    for (let count = 0; count < 64; count++)
      expect(await expectV2Answer('WorkerLateEvidence', await add(`e-${count}`))).toMatchObject({ receiptID })
    await expectV2Answer('WorkerLateEvidence', await add('e-0'))
    await expectV2Problem('WorkerLateEvidence', await add('e-0', 'other words'), 'evidenceConflict')
    await expectV2Problem('WorkerLateEvidence', await add('e-64'), 'invalidResource')
    const other = { executionID, evidenceID: 'x', originalReceiptID: 'receipt-of-another' }
    await expectV2Problem('WorkerLateEvidence', await call('WorkerLateEvidence', other), 'notFound')
  })

  it('that is gone leaves its poll, and the next job is not offered to it', async () => {
    const { external } = calls.next
    const gone = new AbortController()
    const body = JSON.stringify({
      workerID: 'gone',
      capabilities: [{ jobTypeID: 'any', version: 'for-nobody', kind: 'check' }],
      capacity: 1,
      limit: 1,
      waitSeconds: 25,
    })
    const headers = {
      authorization: `Bearer ${calls.next.tokens.worker}`,
      'content-type': 'application/json',
    }
    const { path, method } = v2.operations.WorkerPoll
    const polled = fetch(`${calls.next.url}${path}`, { method, headers, body, signal: gone.signal })
    await expect.poll(() => external?.polls.size).toBe(1)
    gone.abort()
    await expect(polled).rejects.toThrow()
    await expect.poll(() => external?.polls.size).toBe(0)
  })
})
