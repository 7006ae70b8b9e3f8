// store-contract/bulk-contract.ts: what every store promises about operations of many items: the record and its outcomes
// are committed with the rest of their batch, and kept for thirty days after the operation ended.
import type { BulkWrite, StoredBulk } from '@pulseward/server/internal/store/bulk.ts'
import { retentionMs } from '@pulseward/server/internal/store/retention.ts'
import type { Store } from '@pulseward/server/internal/store/store.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batch, operation, resource } from '../store/samples.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'

const now = 1_700_000_000_000
const everyOne = { upTo: 9_999, after: null, state: null, endedAfter: 0, limit: 500 }

function bulk(id: number, parts: Partial<StoredBulk> = {}): StoredBulk {
  return {
    id,
    principal: 'ann',
    activatedBy: null,
    openedAt: now,
    endedAt: null,
    state: 'staging',
    contentDigest: 'sha256:00',
    itemCount: 5,
    control: null,
    settled: 0,
    counts: {},
    reason: null,
    ...parts,
  }
}

function chunk(operation: StoredBulk, first: number, ...ids: string[]): BulkWrite {
  const outcomes = ids.map((id) => ({
    id,
    outcome: 'created',
    oldVersion: null,
    newVersion: `1.${id}`,
    message: id === 'c' ? 'words with "markup" <b>' : null,
  }))
  return { operation, outcomes: { first, outcomes } }
}

export function bulkContract(name: string, open: OpenStore): void {
  describe(`${name} and operations of many items`, () => {
    let tested: StoreUnderTest
    let store: Store
    beforeEach(async () => {
      tested = await open(() => now)
      store = tested.store
    })
    afterEach(() => tested[Symbol.asyncDispose]())

    const idsFrom = async (from: number, limit: number) => {
      const { outcomes, more } = await store.readOutcomes(1, from, limit)
      return [outcomes.map(({ id }) => id).join(''), more]
    }

    it('keeps the last state of each, and names those that are open', async () => {
      await store.commit(batch({ bulk: [{ operation: bulk(1), outcomes: null }] }))
      await store.commit(batch({ bulk: [{ operation: bulk(2), outcomes: null }] }))
      const ended = bulk(1, { state: 'cancelled', endedAt: now, reason: 'x' })
      await store.commit(batch({ bulk: [{ operation: ended, outcomes: null }] }))
      store = await tested.reopen()
      expect(await store.readBulk(1)).toEqual(ended)
      expect(await store.openBulk()).toEqual([bulk(2)])
      expect(await store.readBulk(3)).toBeNull()
      expect(await store.readOperation(1)).toBeNull()
    })

    it('lists them, the newest first, by state and page by page, as they were up to a number', async () => {
      const ended = { state: 'completed', endedAt: now }
      const all = [
        bulk(1, ended),
        bulk(2),
        bulk(3, { state: 'expired', endedAt: now - retentionMs - 1 }),
        bulk(4, ended),
        bulk(5),
        bulk(6),
      ]
      await store.commit(batch({ bulk: all.map((operation) => ({ operation, outcomes: null })) }))
      store = await tested.reopen()
      const listed = async (asked: { after?: number; state?: string; limit?: number } = {}) => {
        const { after = null, state = null, limit = 10 } = asked
        const query = { upTo: 5, after, state, endedAfter: now - retentionMs, limit }
        const { operations, more } = await store.listBulk(query)
        return [operations.map(({ id }) => id).join(''), more]
      }
      expect(await listed()).toEqual(['5421', false])
      expect(await listed({ limit: 2 })).toEqual(['54', true])
      expect(await listed({ limit: 2, after: 4 })).toEqual(['21', false])
      expect(await listed({ state: 'completed' })).toEqual(['41', false])
      expect(await listed({ state: 'completed', limit: 1 })).toEqual(['4', true])
      expect(await listed({ state: 'rejected' })).toEqual(['', false])
      expect((await store.listBulk({ ...everyOne, upTo: 2 })).operations).toEqual([bulk(2), bulk(1, ended)])
    })

    it('finds those of a rare state behind many others', async () => {
      const many = Array.from({ length: 1_100 }, (_, n) => bulk(n + 1, n === 0 ? { state: 'validated' } : {}))
      await store.commit(batch({ bulk: many.map((operation) => ({ operation, outcomes: null })) }))
      const { operations, more } = await store.listBulk({ ...everyOne, state: 'validated' })
      expect([operations.map(({ id }) => id), more]).toEqual([[1], false])
    })

    it('numbers them together with single writes', async () => {
      await store.commit(batch({ operations: [operation(4)] }))
      await store.commit(batch({ bulk: [{ operation: bulk(7), outcomes: null }] }))
      store = await tested.reopen()
      expect((await store.recover(0)).lastOperation).toBe(7)
    })

    it('adds outcomes to outcomes, and gives any part of them', async () => {
      await store.commit(
        batch({ resources: [resource('shop', 1)], bulk: [chunk(bulk(1, { settled: 2 }), 0, 'a', 'b')] }),
      )
      await store.commit(batch({ bulk: [chunk(bulk(1, { settled: 3 }), 2, 'c')] }))
      await store.commit(batch({ bulk: [chunk(bulk(1, { settled: 5 }), 3, 'd', 'e')] }))
      store = await tested.reopen()
      expect(await idsFrom(0, 500)).toEqual(['abcde', false])
      expect(await idsFrom(0, 3)).toEqual(['abc', true])
      expect(await idsFrom(1, 1)).toEqual(['b', true])
      expect(await idsFrom(3, 2)).toEqual(['de', false])
      expect(await idsFrom(5, 2)).toEqual(['', false])
      const { outcomes } = await store.readOutcomes(1, 2, 1)
      expect(outcomes).toEqual(chunk(bulk(1), 2, 'c').outcomes?.outcomes)
      expect(await store.readOutcomes(2, 0, 5)).toEqual({ outcomes: [], more: false })
    })

    it('forgets what ended more than thirty days ago, and nothing that is open', async () => {
      const old = bulk(1, { state: 'completed', endedAt: now - retentionMs - 1 })
      const recent = bulk(2, { state: 'completed', endedAt: now - retentionMs + 1 })
      const open = bulk(3, { openedAt: now - 2 * retentionMs })
      await store.commit(
        batch({ bulk: [chunk(old, 0, 'a'), chunk(recent, 0, 'a'), { operation: open, outcomes: null }] }),
      )
      while ((await store.retain(now, 1)) > 0);
      expect(await store.readBulk(1)).toBeNull()
      expect((await store.readOutcomes(1, 0, 5)).outcomes).toEqual([])
      expect(await store.readBulk(2)).toEqual(recent)
      expect((await store.readOutcomes(2, 0, 5)).outcomes).toHaveLength(1)
      expect(await store.openBulk()).toEqual([open])
    })
  })
}
