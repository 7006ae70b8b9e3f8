// store-contract/resource-contract.ts: what every store promises about managed resources: they are read as
// they were committed, and listed as they were after one change.
import type { SelectorClause } from '@pulseward/server/internal/store/selector.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batch, deletion, event, identity, monitorIdOf, operation, resource } from '../store/samples.ts'
import { ResourceModel } from './resource-model.ts'
import { ResourceStore } from './resource-store.ts'
import type { OpenStore } from './store-under-test.ts'

/** Ids whose order differs between UTF-8 and UTF-16, and some with awkward characters. */
const ids = ['a', 'B', 'a-1', 'a.1', 'é', 'name:"<b>', '\u{1f600}', '\uffee', '‮', 'z'.repeat(200)]
const labelSets = [
  {},
  { team: 'payments' },
  { team: 'search', tier: '1' },
  { tier: '2', team: 'payments', '<b>': '"' },
  JSON.parse('{ "__proto__": "1", "constructor": "2", "2": "x", "1": "y" }'),
]

const key = fc.constantFrom('team', 'tier', '<b>', '__proto__', 'toString', '1')
const clause: fc.Arbitrary<SelectorClause> = fc.oneof(
  fc.record({ key, is: fc.constantFrom('present', 'absent') }),
  fc.record({
    key,
    is: fc.constantFrom('in', 'notIn'),
    values: fc.subarray(['payments', 'search', '1', '2', '"'], { minLength: 1 }),
  }),
)

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
    let managed: ResourceStore
    beforeEach(async () => {
      managed = await ResourceStore.open(open)
    })
    afterEach(() => managed[Symbol.asyncDispose]())

    it('are given back as they were committed, each as it last was', async () => {
      const shop = resource('shop', 1, { labels: labelSets[4]!, name: '<script>"\\ü\n', spec: '{"a":"\\n"}' })
      const sealed = Uint8Array.of(0, 255, 7)
      const token = resource('token', 2, { kind: 'Credential', name: null, sealed })
      const ops = resource('ops', 3, { kind: 'NotificationEndpoint', labels: { team: 'x' } })
      const other = resource('other', 4)
      await managed.write(shop, token, ops, other)
      const changed = resource('shop', 5, { generation: 2, labels: { team: 'x' } })
      await managed.write(changed)
      const { epoch } = await managed.store.recover(0)
      await managed.reopen()
      const recovered = await managed.store.recover(0)
      expect(recovered).toMatchObject({ epoch, lastChange: 5, resources: [ops, token] })
      expect((await Array.fromAsync(recovered.monitors)).flat()).toEqual([other, changed])
      expect(await managed.store.readResource('Monitor', 'shop')).toEqual(changed)
      expect(await managed.store.readResource('Credential', 'token')).toEqual(token)
      expect(await managed.store.readResource('Monitor', 'token')).toBeNull()
      await managed.write(deletion('shop', 6))
      expect(await managed.store.readResource('Monitor', 'shop')).toBeNull()
      expect(await managed.store.usage()).toMatchObject({ resources: 3, pastResources: 2 })
    })

    it('keep sealed bytes as they were when they were committed', async () => {
      const sealed = Uint8Array.of(1, 2, 3)
      await managed.write(resource('token', 1, { kind: 'Credential', sealed }))
      sealed.fill(9)
      expect((await managed.store.readResource('Credential', 'token'))?.sealed).toEqual(
        Uint8Array.of(1, 2, 3),
      )
    })

    it('have their sealed bytes replaced without a new version', async () => {
      const token = resource('token', 1, { kind: 'Credential', sealed: Uint8Array.of(1, 2, 3) })
      const other = resource('other', 2, { kind: 'Credential', sealed: Uint8Array.of(4) })
      const open = resource('open', 3, { kind: 'Credential', sealed: null })
      await managed.write(token, other, open)
      const changed = resource('other', 4, { kind: 'Credential', sealed: Uint8Array.of(5) })
      await managed.write(changed)
      const { position } = await managed.store.recover(0)
      const sealed = Uint8Array.of(9, 9)
      const resealed = await managed.store.reseal([
        { id: 'token', change: 1, sealed },
        // Replaced since, without a value, and missing.
        { id: 'other', change: 2, sealed },
        { id: 'open', change: 3, sealed },
        { id: 'none', change: 9, sealed },
      ])
      expect(resealed).toEqual([1])
      const reread = Uint8Array.of(9, 9)
      sealed.fill(0)
      await managed.reopen()
      expect(await managed.store.readResource('Credential', 'token')).toEqual({ ...token, sealed: reread })
      expect(await managed.store.readResource('Credential', 'other')).toEqual(changed)
      expect(await managed.store.readResource('Credential', 'open')).toEqual(open)
      expect(await managed.store.recover(0)).toMatchObject({ position, lastChange: 4 })
      expect(await managed.store.usage()).toMatchObject({ resources: 3, pastResources: 1 })
    })

    it('are listed in the order of the bytes of their ids', async () => {
      await managed.write(...ids.map((id, index) => resource(id, index + 1)))
      const expected = ids.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
      expect(await managed.listIds()).toEqual(expected)
      const recovered = await Array.fromAsync((await managed.store.recover(0)).monitors)
      expect(recovered.flat().map(({ id }) => id)).toEqual(expected)
    })

    it('are listed page by page as they were after one change, whatever is written meanwhile', () =>
      staysAsItWas(15))

    it('are listed so in many more cases', { tags: 'long' }, () => staysAsItWas(60))

    async function staysAsItWas(numRuns: number): Promise<void> {
      const model = new ResourceModel()
      const commit = async (given: typeof writes extends fc.Arbitrary<infer Value> ? Value : never) => {
        const numbered = given.map(({ kind, id, labels, isDeleted }, index) => {
          const change = model.lastChange + 1 + index
          return isDeleted ? deletion(id, change, kind) : resource(id, change, { kind, labels })
        })
        model.writes.push(...numbered)
        await managed.write(...numbered)
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
            if (restarts) await managed.reopen()
            const upToChange = Math.max(0, model.lastChange - behind)
            const expected = model.list(kind, upToChange, selector)
            const seen: unknown[] = []
            let afterId: string | null = null
            for (let turn = 0, more = true; more; turn++) {
              const limit = limits[turn % limits.length]!
              const page = await managed.store.listResources({ kind, upToChange, afterId, limit, selector })
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
        { numRuns, endOnFailure: true },
      )
    }

    it.for<[words: string, team: SelectorClause, found: string[]]>([
      ['team = payments', { key: 'team', is: 'in', values: ['payments'] }, ['a']],
      [
        'team != payments, also without a team',
        { key: 'team', is: 'notIn', values: ['payments'] },
        ['b', 'c'],
      ],
      ['team', { key: 'team', is: 'present' }, ['a', 'b']],
      ['!team', { key: 'team', is: 'absent' }, ['c']],
      ['team in (payments, search)', { key: 'team', is: 'in', values: ['payments', 'search'] }, ['a', 'b']],
    ])('are selected by %s', async ([, team, found]) => {
      await managed.write(
        resource('a', 1, { labels: { team: 'payments', tier: '1' } }),
        resource('b', 2, { labels: { team: 'search', tier: '1' } }),
        resource('c', 3),
      )
      expect(await managed.listIds({ selector: [team] })).toEqual(found)
      const tier: SelectorClause = { key: 'tier', is: 'present' }
      expect(await managed.listIds({ selector: [tier, team] })).toEqual(found.filter((id) => id !== 'c'))
      expect(await managed.listIds({ selector: [] })).toEqual(['a', 'b', 'c'])
    })

    it('match a selector by the labels that they have now, also when labels come and go', async () => {
      const selector: SelectorClause[] = [{ key: 'team', is: 'in', values: ['payments'] }]
      await managed.write(resource('a', 1, { labels: { team: 'payments' } }))
      expect(await managed.listIds({ selector })).toEqual(['a'])
      await managed.write(resource('a', 2, { labels: { team: 'search' } }), resource('b', 3))
      expect(await managed.listIds({ selector })).toEqual([])
      expect(await managed.retain()).toBe(0)
      await managed.reopen()
      expect(await managed.retain()).toBe(0)
      expect(await managed.list({ selector, upToChange: 1 })).toEqual([
        resource('a', 1, { labels: { team: 'payments' } }),
      ])
      // Labels that no current or past resource uses are forgotten, and others take their place.
      await managed.pass(7)
      expect(await managed.retain()).toBeGreaterThan(0)
      await managed.retain()
      await managed.write(
        resource('c', 4, { labels: { team: 'search', tier: '1' } }),
        resource('d', 5, { labels: { team: 'payments' } }),
        resource('e', 6, { labels: { team: 'payments', tier: '1' } }),
      )
      expect(await managed.listIds({ selector })).toEqual(['d', 'e'])
    })

    it('refuse a change that was counted already, and then keep nothing of the batch', async () => {
      await managed.write(resource('a', 7))
      for (const change of [1, 7]) {
        const refused = managed.store.commit(
          batch({ resources: [resource('b', 8), resource('c', change)], operations: [operation(1)] }),
        )
        await expect(refused).rejects.toThrow(`The change ${change} of c comes after the change 8.`)
      }
      expect(await managed.listIds()).toEqual(['a'])
      expect(await managed.store.readOperation(1)).toBeNull()
      await managed.write(resource('b', 8))
      expect(await managed.listIds()).toEqual(['a', 'b'])
    })

    it('leave events that the history of a monitor shows', async () => {
      const about = { kind: 'Monitor', id: monitorIdOf(1), uid: 'u' } as const
      const changes = [
        { field: '/spec/enabled', before: true, after: false },
        { field: '/metadata/name', after: '<b>' },
      ]
      const updated = event(1, { type: 'resource_updated', actor: 'ops', resource: about, changes })
      const service = event(null, { type: 'resource_created', resource: { ...about, kind: 'Credential' } })
      await managed.store.commit(batch({ identities: [identity(1)], events: [service, updated, event(1)] }))
      await managed.reopen()
      const query = { order: 'asc', upTo: 9, after: null, limit: 9 } as const
      const ofMonitor = await managed.store.readEvents({ ...query, monitorId: monitorIdOf(1) })
      expect(ofMonitor.events).toEqual([
        { ...updated, position: 2 },
        { ...event(1), position: 3 },
      ])
      expect(await managed.store.readEvents({ ...query, monitorId: null })).toMatchObject({
        events: [service, updated, {}],
      })
    })

    it('are refused after the store was closed', async () => {
      await managed.store[Symbol.asyncDispose]()
      await expect(managed.write(resource('a', 1))).rejects.toMatchObject({ problem: 'closed' })
      await expect(managed.list()).rejects.toMatchObject({ problem: 'closed' })
      await expect(managed.store.readResource('Monitor', 'a')).rejects.toMatchObject({ problem: 'closed' })
      await expect(managed.store.readOperation(1)).rejects.toMatchObject({ problem: 'closed' })
    })

    it('have an epoch that no other store has', async () => {
      await using other = await open(() => managed.now)
      expect((await other.store.recover(0)).epoch).not.toBe((await managed.store.recover(0)).epoch)
    })
  })
}
