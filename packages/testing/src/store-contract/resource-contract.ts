// store-contract/resource-contract.ts: what every store promises about managed resources, their recent past and the
// records of operations.
import type { ResourceQuery, ResourceWrite } from '@pulseward/server/internal/store/resource.ts'
import { storeBounds } from '@pulseward/server/internal/store/retention.ts'
import type { SelectorClause } from '@pulseward/server/internal/store/selector.ts'
import type { Store } from '@pulseward/server/internal/store/store.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batch, deletion, event, identity, monitorIdOf, operation, resource } from '../store/samples.ts'
import { ResourceModel } from './resource-model.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'

const contractNow = 1_700_000_000_000
const minute = 60_000

const monitors = { kind: 'Monitor', afterId: null, limit: 500, selector: null } as const

/** Ids whose order differs between UTF-8 and UTF-16, and some that are not nice. */
const ids = ['a', 'B', 'a-1', 'a.1', 'é', 'name:"<b>', '\u{1f600}', '\uffee', '‮', 'z'.repeat(200)]
const labelSets = [
  {},
  { team: 'payments' },
  { team: 'search', tier: '1' },
  { tier: '2', team: 'payments', '<b>': '"' },
  JSON.parse('{ "__proto__": "1", "constructor": "2", "2": "x", "1": "y" }'),
]

const clause: fc.Arbitrary<SelectorClause> = fc.record({
  key: fc.constantFrom('team', 'tier', '<b>', '__proto__', 'toString', '1'),
  op: fc.constantFrom('=', '!=', 'exists', 'absent', 'in', 'notin'),
  values: fc.subarray(['payments', 'search', '1', '2', '"'], { minLength: 1 }),
})

/** Numbered when they are committed. */
const writes = fc.array(
  fc.record({
    kind: fc.constantFrom('Monitor' as const, 'Monitor' as const, 'NotificationEndpoint' as const),
    id: fc.constantFrom(...ids),
    labels: fc.constantFrom(...labelSets),
    isDeleted: fc.boolean(),
  }),
  { maxLength: 12 },
)

export function resourceContract(name: string, open: OpenStore): void {
  describe(`resources in the ${name} store`, () => {
    let opened: StoreUnderTest
    let store: Store
    let now: number
    beforeEach(async () => {
      now = contractNow
      opened = await open(() => now)
      store = opened.store
    })
    afterEach(() => opened[Symbol.asyncDispose]())

    const write = (...resources: ResourceWrite[]) => store.commit(batch({ resources }))
    const list = async (query: Partial<ResourceQuery>) => {
      const page = await store.listResources({ ...monitors, upToChange: Number.MAX_SAFE_INTEGER, ...query })
      return page === 'expired' ? page : page.resources
    }
    /** The store commits something every minute, as a service does. */
    const pass = async (minutes: number) => {
      for (let passed = 0; passed < minutes; passed++) {
        now += minute
        await store.commit(batch({}))
      }
    }
    const listedIds = async (query: Partial<ResourceQuery>) => {
      const found = await list(query)
      return found === 'expired' ? found : found.map(({ id }) => id)
    }

    it('are given back as they were committed, each as it last was', async () => {
      const shop = resource('shop', 1, { labels: labelSets[4]!, name: '<script>"\\ü\n', spec: '{"a":"\\n"}' })
      const sealed = Uint8Array.of(0, 255, 7)
      const token = resource('token', 2, { kind: 'Credential', name: null, sealed })
      const ops = resource('ops', 3, { kind: 'NotificationEndpoint', labels: { team: 'x' } })
      const other = resource('other', 4)
      await write(shop, token, ops, other)
      const changed = resource('shop', 5, { generation: 2, labels: { team: 'x' } })
      await write(changed)
      const { epoch } = await store.recover(0)
      store = await opened.reopen()
      const recovered = await store.recover(0)
      expect(recovered).toMatchObject({ epoch, lastChange: 5, resources: [ops, token] })
      expect((await Array.fromAsync(recovered.monitors)).flat()).toEqual([other, changed])
      expect(await store.readResource('Monitor', 'shop')).toEqual(changed)
      expect(await store.readResource('Credential', 'token')).toEqual(token)
      expect(await store.readResource('Monitor', 'token')).toBeNull()
      await write(deletion('shop', 6))
      expect(await store.readResource('Monitor', 'shop')).toBeNull()
      expect(await store.usage()).toMatchObject({ resources: 3, pastResources: 2 })
    })

    it('keep sealed bytes as they were when they were committed', async () => {
      const sealed = Uint8Array.of(1, 2, 3)
      await write(resource('token', 1, { kind: 'Credential', sealed }))
      sealed.fill(9)
      expect((await store.readResource('Credential', 'token'))?.sealed).toEqual(Uint8Array.of(1, 2, 3))
    })

    it('are listed in the order of the bytes of their ids', async () => {
      await write(...ids.map((id, index) => resource(id, index + 1)))
      const expected = ids.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
      expect(await listedIds({})).toEqual(expected)
      const recovered = await Array.fromAsync((await store.recover(0)).monitors)
      expect(recovered.flat().map(({ id }) => id)).toEqual(expected)
    })

    it('are listed page by page as they were after one change, whatever is written meanwhile', async () => {
      const model = new ResourceModel()
      const commit = async (given: typeof writes extends fc.Arbitrary<infer Value> ? Value : never) => {
        const numbered = given.map(({ kind, id, labels, isDeleted }, index) => {
          const change = model.lastChange + 1 + index
          return isDeleted ? deletion(id, change, kind) : resource(id, change, { kind, labels })
        })
        model.writes.push(...numbered)
        await write(...numbered)
      }
      const reading = fc.record({
        kind: fc.constantFrom('Monitor' as const, 'NotificationEndpoint' as const),
        selector: fc.option(fc.array(clause, { maxLength: 3 })),
        limits: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
        behind: fc.nat({ max: 30 }),
        between: fc.array(writes, { maxLength: 5 }),
        restarts: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(
          writes,
          reading,
          async (first, { kind, selector, limits, behind, between, restarts }) => {
            await commit(first)
            if (restarts) store = await opened.reopen()
            const upToChange = Math.max(0, model.lastChange - behind)
            const expected = model.list(kind, upToChange, selector)
            const seen: unknown[] = []
            let afterId: string | null = null
            for (let turn = 0, more = true; more; turn++) {
              const limit = limits[turn % limits.length]!
              const page = await store.listResources({ kind, upToChange, afterId, limit, selector })
              if (page === 'expired') throw new Error('Nothing is old enough to be forgotten.')
              expect(page.resources.length).toBe(page.more ? limit : Math.min(limit, page.resources.length))
              seen.push(...page.resources)
              afterId = page.resources.at(-1)?.id ?? afterId
              more = page.more
              await commit(between[turn] ?? [])
            }
            expect(seen).toEqual(expected)
          },
        ),
        { numRuns: 60, endOnFailure: true },
      )
    })

    it.for<[words: string, op: SelectorClause['op'], values: string[], found: string[]]>([
      ['team = payments', '=', ['payments'], ['a']],
      ['team != payments, also without a team', '!=', ['payments'], ['b', 'c']],
      ['team', 'exists', [], ['a', 'b']],
      ['!team', 'absent', [], ['c']],
      ['team in (payments, search)', 'in', ['payments', 'search'], ['a', 'b']],
      ['team notin (search), also without a team', 'notin', ['search'], ['a', 'c']],
    ])('are selected by %s', async ([, op, values, found]) => {
      await write(
        resource('a', 1, { labels: { team: 'payments', tier: '1' } }),
        resource('b', 2, { labels: { team: 'search', tier: '1' } }),
        resource('c', 3),
      )
      const team = { key: 'team', op, values }
      expect(await listedIds({ selector: [team] })).toEqual(found)
      const tier: SelectorClause = { key: 'tier', op: 'exists', values: [] }
      expect(await listedIds({ selector: [tier, team] })).toEqual(found.filter((id) => id !== 'c'))
      expect(await listedIds({ selector: [] })).toEqual(['a', 'b', 'c'])
    })

    it('match a selector by the labels that they have now, also when labels come and go', async () => {
      const selector: SelectorClause[] = [{ key: 'team', op: '=', values: ['payments'] }]
      await write(resource('a', 1, { labels: { team: 'payments' } }))
      expect(await listedIds({ selector })).toEqual(['a'])
      await write(resource('a', 2, { labels: { team: 'search' } }), resource('b', 3))
      expect(await listedIds({ selector })).toEqual([])
      expect(await store.retain(now, 60)).toBe(0)
      store = await opened.reopen()
      expect(await store.retain(now, 60)).toBe(0)
      expect(await list({ selector, upToChange: 1 })).toEqual([
        resource('a', 1, { labels: { team: 'payments' } }),
      ])
      // Labels that neither a resource nor the past has any more are forgotten, and their place is taken by others.
      await pass(7)
      expect(await store.retain(now, 60)).toBeGreaterThan(0)
      await store.retain(now, 60)
      await write(
        resource('c', 4, { labels: { team: 'search', tier: '1' } }),
        resource('d', 5, { labels: { team: 'payments' } }),
        resource('e', 6, { labels: { team: 'payments', tier: '1' } }),
      )
      expect(await listedIds({ selector })).toEqual(['d', 'e'])
    })

    it('keep their past for 6 minutes after it ended, and then say that a list is expired', async () => {
      await write(resource('a', 1), resource('b', 2))
      await pass(1)
      await write(resource('a', 3), deletion('b', 4))
      await pass(1)
      await write(resource('a', 5))
      await pass(5)
      expect(await store.retain(now, 60)).toBe(0)
      expect(await list({ upToChange: 2 })).toEqual([resource('a', 1), resource('b', 2)])
      now += 1
      expect(await store.retain(now, 1)).toBe(1)
      expect(await list({ upToChange: 2 })).toBe('expired')
      expect(await list({ upToChange: 3 })).toEqual([resource('a', 3), resource('b', 2)])
      expect(await store.retain(now, 60)).toBe(1)
      expect(await list({ upToChange: 3 })).toBe('expired')
      store = await opened.reopen()
      expect(await list({ upToChange: 3 })).toBe('expired')
      expect(await list({ upToChange: 4 })).toEqual([resource('a', 3)])
      await pass(1)
      expect(await store.retain(now, 60)).toBe(1)
      expect(await list({ upToChange: 4 })).toBe('expired')
      expect(await list({ upToChange: 5 })).toEqual([resource('a', 5)])
      expect(await store.retain(now, 60)).toBe(0)
      expect(await store.usage()).toMatchObject({ resources: 1, pastResources: 0 })
    })

    it.for<[words: string, leapMs: number]>([
      ['ten minutes', 10 * minute],
      ['a year', 365 * 24 * 60 * minute],
    ])(
      'keep their past for 6 minutes after the clock leapt by %s, also over a restart',
      async ([, leapMs]) => {
        await write(resource('a', 1))
        await write(resource('a', 2))
        now += leapMs
        expect(await store.retain(now, 60)).toBe(0)
        await write(resource('a', 3))
        store = await opened.reopen()
        for (let step = 0; step < 5; step++) {
          now += minute
          expect(await store.retain(now, 60)).toBe(0)
          expect(await list({ upToChange: 1 })).toEqual([resource('a', 1)])
        }
        now += minute
        expect(await store.retain(now, 60)).toBe(1)
        expect(await list({ upToChange: 1 })).toBe('expired')
      },
    )

    it('do not keep for a year what was replaced while the clock was a year ahead', async () => {
      now += 365 * 24 * 60 * minute
      await write(resource('a', 1))
      await write(resource('a', 2))
      now = contractNow
      await write(resource('a', 3))
      for (let step = 0; step < 6; step++) {
        expect(await store.retain(now, 60)).toBe(0)
        now += minute
      }
      expect(await store.retain(now + 1, 60)).toBe(2)
    })

    it('are known by what happened to them since a change', async () => {
      await write(resource('a', 1), resource('b', 2), resource('c', 3), resource('d', 4))
      await write(
        deletion('b', 5),
        resource('c', 6),
        resource('ops', 7, { kind: 'NotificationEndpoint' }),
        resource('c', 8),
        deletion('d', 9),
        resource('d', 10, { uid: 'another' }),
      )
      store = await opened.reopen()
      const { changedMonitors } = await store.recover(0)
      const since = async (change: number) => {
        const changes = await changedMonitors(change)
        if (changes === 'forgotten') return changes
        const chunks = await Array.fromAsync(changes)
        return {
          written: chunks.flatMap(({ written }) => written),
          deletedIds: chunks.flatMap(({ deletedIds }) => deletedIds),
        }
      }
      const again = [resource('c', 8), resource('d', 10, { uid: 'another' })]
      expect(await since(0)).toEqual({ written: [resource('a', 1), ...again], deletedIds: ['b'] })
      expect(await since(4)).toEqual({ written: again, deletedIds: ['b'] })
      expect(await since(5)).toEqual({ written: again, deletedIds: [] })
      expect(await since(10)).toEqual({ written: [], deletedIds: [] })
    })

    it('are no longer known by a change that is too many changes ago', async () => {
      await using few = await open(() => now, { ...storeBounds, changes: 3 })
      await few.store.commit(batch({ resources: [1, 2, 3, 4, 5].map((change) => resource('a', change)) }))
      expect(await (await few.store.recover(0)).changedMonitors(0)).not.toBe('forgotten')
      expect(await few.store.retain(now, 1)).toBe(1)
      expect(await few.store.retain(now, 60)).toBe(1)
      expect(await few.store.retain(now, 60)).toBe(0)
      store = await few.reopen()
      const { changedMonitors, lastChange } = await store.recover(0)
      expect(lastChange).toBe(5)
      expect(await changedMonitors(1)).toBe('forgotten')
      expect(await changedMonitors(2)).not.toBe('forgotten')
    })

    it('refuse a change that was counted already, and then keep nothing of the batch', async () => {
      await write(resource('a', 7))
      for (const change of [1, 7]) {
        const refused = store.commit(
          batch({ resources: [resource('b', 8), resource('c', change)], operations: [operation(1)] }),
        )
        await expect(refused).rejects.toThrow(`The change ${change} of c comes after the change 8.`)
      }
      expect(await listedIds({})).toEqual(['a'])
      expect(await store.readOperation(1)).toBeNull()
      await write(resource('b', 8))
      expect(await listedIds({})).toEqual(['a', 'b'])
    })

    it('leave events that the history of a monitor shows', async () => {
      const about = { kind: 'Monitor', id: monitorIdOf(1), uid: 'u' } as const
      const changes = [
        { field: '/spec/enabled', before: true, after: false },
        { field: '/metadata/name', after: '<b>' },
      ]
      const updated = event(1, { type: 'resource_updated', actor: 'ops', resource: about, changes })
      const service = event(null, { type: 'resource_created', resource: { ...about, kind: 'Credential' } })
      await store.commit(batch({ identities: [identity(1)], events: [service, updated, event(1)] }))
      store = await opened.reopen()
      const query = { order: 'asc', upTo: 9, after: null, limit: 9 } as const
      const ofMonitor = await store.readEvents({ ...query, monitorId: monitorIdOf(1) })
      expect(ofMonitor.events).toEqual([
        { ...updated, position: 2 },
        { ...event(1), position: 3 },
      ])
      expect(await store.readEvents({ ...query, monitorId: null })).toMatchObject({
        events: [service, updated, {}],
      })
    })

    it('have operations that are found by their number, each as it last was', async () => {
      const refused = operation(2, { state: 'failed', outcome: 'conflict', reason: '<b>\n' })
      await store.commit(batch({ operations: [operation(1, { state: 'applying', outcome: null }), refused] }))
      await store.commit(batch({ operations: [operation(1)] }))
      store = await opened.reopen()
      expect(await store.readOperation(1)).toEqual(operation(1))
      expect(await store.readOperation(2)).toEqual(refused)
      expect(await store.readOperation(3)).toBeNull()
      expect((await store.recover(0)).lastOperation).toBe(2)
    })

    it('have only so many operations, the last ones', async () => {
      await using few = await open(() => now, { ...storeBounds, operations: 3 })
      const operations = [1, 2, 3, 4, 5, 6].map((id) => operation(id))
      await few.store.commit(batch({ operations }))
      expect(await few.store.retain(now, 2)).toBe(2)
      expect(await few.store.retain(now, 2)).toBe(1)
      expect(await few.store.retain(now, 2)).toBe(0)
      const found = await Promise.all(operations.map(({ id }) => few.store.readOperation(id)))
      expect(found.map((each) => each?.id ?? null)).toEqual([null, null, null, 4, 5, 6])
    })

    it('are refused after the store was closed', async () => {
      await store[Symbol.asyncDispose]()
      await expect(write(resource('a', 1))).rejects.toMatchObject({ problem: 'closed' })
      await expect(list({})).rejects.toMatchObject({ problem: 'closed' })
      await expect(store.readResource('Monitor', 'a')).rejects.toMatchObject({ problem: 'closed' })
      await expect(store.readOperation(1)).rejects.toMatchObject({ problem: 'closed' })
    })

    it('have an epoch that no other store has', async () => {
      await using other = await open(() => now)
      expect((await other.store.recover(0)).epoch).not.toBe((await store.recover(0)).epoch)
    })
  })
}
