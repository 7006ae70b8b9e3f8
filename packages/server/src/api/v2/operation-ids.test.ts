import { describe, expect, it } from 'vitest'
import { OperationIds } from './operation-ids.ts'

const identity = { id: 'store', key: new Uint8Array(32).fill(7) }

const first = { lastOperation: 0, restores: [] }

describe('names of operations', () => {
  it('go on after the last one, and lead back to their numbers', () => {
    const ids = new OperationIds(identity, { lastOperation: 41, restores: [] })
    const { number, id } = ids.next()
    expect(number).toBe(42)
    expect(ids.numberOf(id)).toBe(42)
    expect(ids.next().number).toBe(43)
  })

  it('are all different, and those of many items are others', () => {
    const ids = new OperationIds(identity, first)
    const names = Array.from({ length: 100 }, (_, index) => [ids.next().id, ids.bulkNameOf(index + 1)]).flat()
    expect(new Set(names.map((name) => name.split('-').at(-1))).size).toBe(200)
    expect(names.map((name) => ids.numberOf(name) ?? ids.bulkNumberOf(name))).toEqual(
      Array.from({ length: 200 }, (_, index) => Math.floor(index / 2) + 1),
    )
  })

  it('that were made up, or given by another store, are none', () => {
    const ids = new OperationIds(identity, first)
    const { id } = ids.next()
    const other = new OperationIds({ ...identity, key: new Uint8Array(32).fill(8) }, first)
    for (const name of ['', 'op-1', `${id}0`, id.replace('op-1', 'op-2'), other.next().id])
      expect(ids.numberOf(name)).toBe(null)
  })

  it('stay as they were in a store that was never restored', () => {
    const ids = new OperationIds(identity, first)
    expect([ids.nameOf(42), ids.bulkNameOf(42)]).toEqual([
      'op-16-fa29ece183a27ca4',
      'bulk-16-0cad0233947d4d14',
    ])
  })

  it('of a life that a restore has ended are never given again, and those in the backup are good', () => {
    const lost = new OperationIds(identity, { lastOperation: 10, restores: [] })
    const restores = [{ epoch: 7, lastOperation: 10 }]
    const restored = new OperationIds(identity, { lastOperation: 10, restores })
    const twice = new OperationIds(identity, {
      lastOperation: 12,
      restores: [...restores, { epoch: 9, lastOperation: 12 }],
    })
    for (const ids of [restored, twice]) {
      expect(ids.numberOf(lost.nameOf(10))).toBe(10)
      expect(ids.bulkNumberOf(lost.bulkNameOf(9))).toBe(9)
      for (const number of [11, 12, 13]) {
        expect(ids.nameOf(number)).not.toBe(lost.nameOf(number))
        expect(() => ids.numberOf(lost.nameOf(number))).toThrow('The store was restored from a backup')
        expect(() => ids.bulkNumberOf(lost.bulkNameOf(number))).toThrow('The store was restored')
      }
    }
    expect(twice.numberOf(restored.nameOf(12))).toBe(12)
    expect(() => twice.numberOf(restored.nameOf(13))).toThrow('The store was restored from a backup')
    // Of the same backup, restored again: nothing knows the life between.
    const again = new OperationIds(identity, {
      lastOperation: 10,
      restores: [{ epoch: 8, lastOperation: 10 }],
    })
    expect(again.numberOf(restored.nameOf(11))).toBe(null)
  })
})
