// How much late evidence of one job costs, by what is written and read for it: it must not grow with what came before.
import { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { serveNext, troubledFleet, V2Calls, withExternalJobs } from '@pulseward/testing/editions'
import { describe, expect, it } from 'vitest'
import type { CommitBatch, Store } from '../store/store.ts'

const KiB = 1024

async function endedJob() {
  const service = await troubledFleet()
  const next = await serveNext(service, withExternalJobs)
  const calls = await V2Calls.begin(next)
  const call = (name: v2.OperationName, body: object) => next.call(name, { role: 'worker', body })
  const { executionID, grantID } = await calls.grant()
  const outcome = { executionID, grantID, kind: 'check', status: 'success' }
  const { receiptID } = await expectV2Answer('WorkerResult', await call('WorkerResult', outcome))
  const add = (evidenceID: string, words: object) =>
    call('WorkerLateEvidence', { executionID, evidenceID, originalReceiptID: receiptID, ...words })
  return { service, next, calls, call, executionID, grantID, add }
}

/** Bytes of what is written about jobs, commit by commit. */
function bytesWritten(store: Store): number[] {
  const written: number[] = []
  const commit = store.commit.bind(store)
  store.commit = (batch: CommitBatch) => {
    const { executions, statements } = batch
    if (executions.length > 0) written.push(JSON.stringify({ executions, statements }).length)
    return commit(batch)
  }
  return written
}

describe('late evidence', () => {
  it('costs what the piece itself does, also for the 64th', async () => {
    const { service, next, call, executionID, grantID, add } = await endedJob()
    await using _ = next
    const written = bytesWritten(service.store)
    const diagnostic = 'x'.repeat(60 * KiB)
    for (let count = 0; count < v2.limits.latePieces; count++)
      await expectV2Answer('WorkerLateEvidence', await add(`e-${count}`, { diagnostic }))
    expect(written).toHaveLength(v2.limits.latePieces)
    expect(Math.max(...written)).toBeLessThan(80 * KiB)
    // What a heartbeat and a repeated report read of it.
    const record = await service.store.readExecution(executionID)
    expect(JSON.stringify(record).length).toBeLessThan(16 * KiB)
    const beat = await call('WorkerHeartbeat', { workerID: 'berlin-1', executionID, grantID })
    expect(await expectV2Answer('WorkerHeartbeat', beat)).toMatchObject({ accepted: false })
    expect(await service.store.readStatements(executionID)).toHaveLength(v2.limits.latePieces + 1)
  })

  it('is refused when all of it would be more than 4 MiB, and what was said before can be said again', async () => {
    const { next, add } = await endedJob()
    await using _ = next
    const words = { data: 'x'.repeat(250 * KiB) }
    let count = 0
    while ((await add(`e-${count}`, words)).status === 200) count++
    expect(count).toBe(16)
    const { errors = [] } = await expectV2Problem(
      'WorkerLateEvidence',
      await add('e-16', words),
      'invalidResource',
    )
    expect(errors[0]?.message).toContain('4096 KiB')
    await expectV2Answer('WorkerLateEvidence', await add('e-15', words))
    await expectV2Answer('WorkerLateEvidence', await add('small', { diagnostic: 'seen' }))
  })

  it('is refused with more data than 256 KiB, as a result is', async () => {
    const { next, calls, call, add } = await endedJob()
    await using _ = next
    const data = 'x'.repeat(v2.limits.resultDataBytes)
    const { errors: late = [] } = await expectV2Problem(
      'WorkerLateEvidence',
      await add('large', { data }),
      'invalidResource',
    )
    expect(late.map(({ field }) => field)).toEqual(['/data'])
    const { errors = [] } = await expectV2Problem(
      'WorkerResult',
      await call('WorkerResult', {
        ...(await calls.grant()),
        kind: 'check',
        status: 'success',
        data: { data },
      }),
      'invalidResource',
    )
    expect(errors.map(({ field }) => field)).toEqual(['/data'])
  })
})
