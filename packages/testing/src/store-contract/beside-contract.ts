// store-contract/beside-contract.ts: what every store promises to code that runs beside its commits:
// resources as last committed, and a place for staged items that are not applied yet.
import type { StoreBeside } from '@pulseward/server/internal/store/beside.ts'
import type { StagedItem, StagedOperation, StagingHead } from '@pulseward/server/internal/store/staging.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batch, deletion, resource } from '../store/samples.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'

const monitorKind = 0
const refused = new Error('refused')

const head = (number: number, parts: Partial<StagingHead> = {}): StagingHead => ({
  number,
  store: 'this one',
  itemCount: 3,
  contentDigest: null,
  touchedAt: 1,
  ...parts,
})

function item(itemId: string, parts: Partial<StagedItem> = {}): Omit<StagedItem, 'ordinal'> {
  return {
    itemId,
    kind: monitorKind,
    id: itemId,
    digest: `sha256:${itemId}`,
    source: 'fleet.yaml',
    expected: null,
    name: `The ${itemId}`,
    labels: '{"team":"a"}',
    spec: '{}',
    hasReferences: 0,
    sealed: null,
    ...parts,
  }
}

const add = (staged: StagedOperation, ...items: readonly Omit<StagedItem, 'ordinal'>[]) =>
  staged.add(
    items,
    2,
    () => {},
    () => {},
  )

const idsOf = (items: readonly { readonly itemId: string }[]) => items.map(({ itemId }) => itemId)

export function besideContract(name: string, open: OpenStore): void {
  describe(`beside the ${name} store`, () => {
    let tested: StoreUnderTest
    let beside: StoreBeside
    beforeEach(async () => {
      tested = await open(() => 1_700_000_000_000)
      beside = tested.store.openBeside()
    })
    afterEach(async () => {
      beside[Symbol.dispose]()
      await tested[Symbol.asyncDispose]()
    })

    it('reads resources as they were last committed, and null for what is not there', async () => {
      const { store } = tested
      const labels = { team: 'a', area: 'b' }
      await store.commit(batch({ resources: [resource('a', 1), resource('b', 2), resource('c', 3)] }))
      await store.commit(batch({ resources: [resource('a', 4, { labels, name: null }), deletion('b', 5)] }))
      const { uid, generation, createdAt, spec } = resource('a', 4)
      expect(await beside.resources.read(['a', 'b', 'none'].map((id) => [monitorKind, id]))).toEqual([
        { change: 4, uid, generation, createdAt, name: null, labels: '{"area":"b","team":"a"}', spec },
        null,
        null,
      ])
      await store.commit(batch({ resources: [deletion('a', 6)] }))
      expect(await beside.resources.read([[monitorKind, 'a']])).toEqual([null])
    })

    it('stages the items of an operation, each once and in the order of upload', async () => {
      using staged = await beside.staging.create(head(7))
      const sealed = Uint8Array.of(1, 2, 3)
      add(staged, item('a'), item('b', { sealed, digest: null, expected: '1.2' }))
      const repeated: string[] = []
      const added = staged.add(
        [item('b'), item('c')],
        5,
        ({ itemId }) => repeated.push(itemId),
        (count) => expect(count).toBe(1),
      )
      expect([idsOf(added), repeated, staged.uploaded]).toEqual([['c'], ['b'], 3])
      expect(staged.head).toEqual(head(7, { touchedAt: 5 }))
      expect(staged.find('b')).toEqual({
        ordinal: 1,
        ...item('b', { sealed, digest: null, expected: '1.2' }),
      })
      expect(staged.find('none')).toBeNull()
      expect(idsOf(staged.itemsFrom(1, 5))).toEqual(['b', 'c'])
      expect(staged.digestsFrom(0, 1)).toMatchObject([{ ordinal: 0, itemId: 'a', digest: 'sha256:a' }])
      staged.touch(9)
      expect(staged.head.touchedAt).toBe(9)
    })

    it('adds all items of an upload or none', async () => {
      using staged = await beside.staging.create(head(7))
      add(staged, item('a'))
      const refusing = () => {
        throw refused
      }
      expect(() => staged.add([item('b'), item('a')], 5, refusing, () => {})).toThrow(refused)
      expect(() => staged.add([item('b')], 5, () => {}, refusing)).toThrow(refused)
      expect([staged.uploaded, staged.find('b'), staged.head.touchedAt]).toEqual([1, null, 2])
      add(staged, item('b'))
      expect(staged.find('b')).toMatchObject({ ordinal: 1 })
    })

    it('finds items by their resource, and those that repeat one', async () => {
      using staged = await beside.staging.create(head(7))
      add(staged, item('first', { id: 'x' }), item('other'), item('second', { id: 'x' }))
      staged.indexResources()
      expect(staged.ordinalOf(monitorKind, 'x')).toBe(0)
      expect(staged.ordinalOf(monitorKind, 'none')).toBe(-1)
      expect(staged.ordinalOf(monitorKind + 1, 'x')).toBe(-1)
      expect([...staged.repeatedResources()]).toEqual([expect.objectContaining({ ordinal: 2, first: 0 })])
    })

    it('gives items back in the order in which they are applied', async () => {
      using staged = await beside.staging.create(head(7))
      add(staged, item('a'), item('b'), item('c'))
      staged.indexResources()
      staged.plan([0, 1, 2].map((ordinal) => ({ rank: 1, ordinal, seen: ordinal, outcome: 'updated' })))
      staged.rerank([
        { ordinal: 0, from: 1, to: 3 },
        { ordinal: 1, from: 2, to: 9 },
      ])
      expect(idsOf(staged.planned(0, 9))).toEqual(['b', 'c', 'a'])
      expect(staged.planned(2, 9)).toEqual([
        { ordinal: 0, ...item('a'), rank: 3, seen: 0, outcome: 'updated' },
      ])
      expect(idsOf(staged.planned(1, 1))).toEqual(['c'])
      expect(staged.planned(3, 1)).toEqual([])
      expect(idsOf(staged.plannedAfter(1, 1, 9))).toEqual(['c', 'a'])
      expect(staged.plannedAfter(3, 0, 9)).toEqual([])
      expect(staged.foreseen(2).map((each) => ({ ...each }))).toEqual([
        { itemId: 'a', seen: 0, outcome: 'updated' },
        { itemId: 'b', seen: 1, outcome: 'updated' },
      ])
      staged.indexResources()
      expect(staged.planned(0, 9)).toEqual([])
    })

    it('keeps what is staged until it is removed, for the store that it belongs to', async () => {
      const { staging } = beside
      using staged = await staging.create(head(7))
      add(staged, item('a'))
      await staged.settle()
      await staging.share(staged, false)
      using _other = await staging.create(head(8))
      expect([...(await staging.numbers())].sort()).toEqual([7, 8])
      expect(await staging.open(7, 'another one')).toBeNull()
      {
        using again = await staging.open(7, 'this one')
        expect(again?.find('a')).toEqual({ ordinal: 0, ...item('a') })
      }
      await staging.remove(7)
      expect(await staging.open(7, 'this one')).toBeNull()
      expect(await staging.numbers()).toEqual([8])
      using anew = await staging.create(head(8))
      expect(anew.uploaded).toBe(0)
    })
  })
}
