// store-contract/execution-contract.ts: what every store promises about jobs of external workers: a grant is committed
// with its batch, its last state survives restarts, and its receipt is kept as long as its kind requires.
import type { StoredExecution, WorkerStatement } from '@pulseward/server/internal/store/execution.ts'
import { retentionMs } from '@pulseward/server/internal/store/retention.ts'
import type { Store } from '@pulseward/server/internal/store/store.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batch } from '../store/samples.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'

const now = 1_700_000_000_000

function execution(id: string, parts: Partial<StoredExecution> = {}): StoredExecution {
  return {
    id,
    kind: 'check',
    jobType: 'queue-depth',
    version: '1',
    monitorId: 'shop',
    revision: 3,
    principal: 'berlin',
    workerId: 'berlin-1',
    grantId: `grant-${id}`,
    grantedAt: now,
    deadline: now + 10_000,
    end: null,
    late: [],
    ...parts,
  }
}

const ended = (id: string, at: number, parts: Partial<StoredExecution> = {}) =>
  execution(id, {
    end: {
      at,
      disposition: 'finalized',
      report: { digest: 'd', status: 'success' },
    },
    ...parts,
  })

const statement = (
  executionId: string,
  id: string,
  parts: Partial<WorkerStatement> = {},
): WorkerStatement => ({
  executionId,
  id,
  evidence: ['‮<b>ü'],
  diagnostic: null,
  data: { depth: 3 },
  ...parts,
})

export function executionContract(name: string, open: OpenStore): void {
  describe(`${name} and jobs of workers`, () => {
    let tested: StoreUnderTest
    let store: Store
    beforeEach(async () => {
      tested = await open(() => now)
      store = tested.store
    })
    afterEach(() => tested[Symbol.asyncDispose]())

    it('keeps the last state of each, and names those that run', async () => {
      await store.commit(batch({ executions: [execution('b'), execution('a')] }))
      await store.commit(batch({ executions: [ended('b', now)] }))
      store = await tested.reopen()
      expect((await store.recover(1000)).executions).toEqual([execution('a')])
      expect(await store.readExecution('b')).toEqual(ended('b', now))
      expect(await store.readExecution('c')).toBeNull()
    })

    it('forgets checks soon after their end, and actions with history', async () => {
      const action = ended('action', now, { kind: 'recovery' })
      await store.commit(batch({ executions: [execution('runs'), ended('check', now), action] }))
      expect(await store.retain(now + 14 * 60_000, 10)).toBe(0)
      expect(await store.retain(now + 16 * 60_000, 10)).toBe(1)
      expect(await store.readExecution('check')).toBeNull()
      expect(await store.readExecution('action')).toEqual(action)
      expect(await store.retain(now + retentionMs + 60_000, 10)).toBe(1)
      expect(await store.readExecution('action')).toBeNull()
      expect(await store.readExecution('runs')).toEqual(execution('runs'))
    })

    it('reads several at once: those that are kept', async () => {
      await store.commit(batch({ executions: [execution('a'), ended('b', now)] }))
      const found = await store.readExecutions(['b', 'none', 'a'])
      expect(found.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual([
        execution('a'),
        ended('b', now),
      ])
    })

    it('keeps what workers said beside their jobs, over restarts, and forgets it with them', async () => {
      const first = statement('a', 'evidence 1')
      const second = statement('a', 'report', { diagnostic: 'x'.repeat(100_000), data: null })
      await store.commit(batch({ executions: [ended('a', now)], statements: [second] }))
      await store.commit(batch({ executions: [ended('a', now), ended('b', now)], statements: [first] }))
      store = await tested.reopen()
      expect(await store.readStatements('a')).toEqual([first, second])
      expect(await store.readStatements('b')).toEqual([])
      expect(await store.retain(now + 16 * 60_000, 10)).toBe(2)
      expect(await store.readStatements('a')).toEqual([])
    })

    it('forgets no more at once than it is asked to', async () => {
      await store.commit(batch({ executions: ['a', 'b', 'c'].map((id) => ended(id, now)) }))
      expect(await store.retain(now + 16 * 60_000, 2)).toBe(2)
      expect(await store.retain(now + 16 * 60_000, 2)).toBe(1)
    })
  })
}
