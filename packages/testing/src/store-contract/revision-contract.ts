// store-contract/revision-contract.ts: what every store promises about revisions: the first that ended after a moment is what
// was in force then, of one monitor and of everything that is not a monitor; what has ended is kept as long as events are.
import { retentionMs } from '@pulseward/server/internal/store/retention.ts'
import type { Store } from '@pulseward/server/internal/store/store.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batch, revision } from '../store/samples.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'

const now = 1_700_000_000_000

export function revisionContract(name: string, open: OpenStore): void {
  describe(`the ${name} store, of revisions`, () => {
    let opened: StoreUnderTest
    let store: Store
    beforeEach(async () => {
      opened = await open(() => now)
      store = opened.store
    })
    afterEach(() => opened[Symbol.asyncDispose]())

    const at = (instant: number, monitorId = 'edge') => store.readRevisions({ monitorId, at: instant })

    it('gives what was in force at a moment, of this monitor alone', async () => {
      const first = revision('Monitor', 'edge', now + 10)
      const second = revision('Monitor', 'edge', now + 20, 'none')
      const route = revision('Route', 'eu', now + 15, 'unknown')
      const other = revision('Monitor', 'shop', now + 30)
      await store.commit(batch({ revisions: [second, other, route, first] }))
      store = await opened.reopen()
      expect(await at(now)).toEqual(expect.arrayContaining([first, route]))
      expect(await at(now)).toHaveLength(2)
      expect(await at(now + 10)).toEqual(expect.arrayContaining([second, route]))
      expect(await at(now + 15)).toEqual([second])
      expect(await at(now + 20)).toEqual([])
      expect(await at(now + 20, 'shop')).toEqual([other])
    })

    it('replaces and removes what is in force, which is what the next process begins with', async () => {
      const [eu, us, group] = [
        revision('Route', 'eu', null, { order: 1 }),
        revision('Route', 'us', null),
        revision('Group', 'ops', null),
      ]
      await store.commit(batch({ revisions: [us, eu, group, revision('Route', 'eu', now)] }))
      await store.commit(
        batch({
          revisions: [
            { ...us, form: null },
            { ...eu, form: { order: 2 } },
          ],
        }),
      )
      store = await opened.reopen()
      expect((await store.recover(0)).revisions).toEqual([group, { ...eu, form: { order: 2 } }])
      expect(await at(now)).toEqual([])
    })

    it('forgets what ended before the retention time, the oldest first, and nothing that is in force', async () => {
      const olderThan = now - retentionMs
      const old = [3, 2, 1].map((before) => revision('Monitor', 'edge', olderThan - before))
      const kept = revision('Monitor', 'edge', olderThan)
      await store.commit(batch({ revisions: [...old, kept, revision('Group', 'ops', null)] }))
      expect(await store.usage()).toMatchObject({ revisions: 5 })
      expect(await store.retain(now, 2)).toBe(2)
      expect(await at(0)).toEqual([old[2]])
      expect(await store.retain(now, 2)).toBe(1)
      expect(await store.retain(now, 2)).toBe(0)
      expect(await at(0)).toEqual([kept])
      expect(await store.usage()).toMatchObject({ revisions: 2 })
    })

    it('answers like a list of all of them', async () => {
      const kind = fc.constantFrom('Monitor', 'Route', 'Descriptions')
      const id = fc.constantFrom('edge', 'Edge', 'ü')
      const written = fc.array(fc.tuple(kind, id, fc.integer({ min: 1, max: 6 })), { maxLength: 25 })
      const keys = new Set<string>()
      await fc.assert(
        fc.asyncProperty(written, fc.integer({ min: 0, max: 7 }), async (rows, instant) => {
          await store.commit(batch({ revisions: rows.map(([of, one, until]) => revision(of, one, until)) }))
          for (const row of rows) keys.add(JSON.stringify(row))
          const first = new Map<string, number>()
          for (const key of keys) {
            const [of, one, until] = JSON.parse(key) as [string, string, number]
            if (until <= instant || (of === 'Monitor' && one !== 'edge')) continue
            first.set(`${of} ${one}`, Math.min(until, first.get(`${of} ${one}`) ?? Infinity))
          }
          const found = await at(instant)
          expect(new Map(found.map((one) => [`${one.kind} ${one.id}`, one.until]))).toEqual(first)
        }),
        { numRuns: 20 },
      )
    })
  })
}
