import { describe, expect, it } from 'vitest'
import { OperationIds } from './operation-ids.ts'

const identity = { id: 'store', key: new Uint8Array(32).fill(7) }

describe('names of operations', () => {
  it('go on after the last one, and lead back to their numbers', () => {
    const ids = new OperationIds(identity, 41)
    const { number, id } = ids.next()
    expect(number).toBe(42)
    expect(ids.numberOf(id)).toBe(42)
    expect(ids.next().number).toBe(43)
  })

  it('are all different, and those of many items are others', () => {
    const ids = new OperationIds(identity, 0)
    const names = Array.from({ length: 100 }, (_, index) => [ids.next().id, ids.bulkNameOf(index + 1)]).flat()
    expect(new Set(names.map((name) => name.split('-').at(-1))).size).toBe(200)
    expect(names.map((name) => ids.numberOf(name) ?? ids.bulkNumberOf(name))).toEqual(
      Array.from({ length: 200 }, (_, index) => Math.floor(index / 2) + 1),
    )
  })

  it('that were made up, or given by another store, are none', () => {
    const ids = new OperationIds(identity, 0)
    const { id } = ids.next()
    const other = new OperationIds({ ...identity, key: new Uint8Array(32).fill(8) }, 0)
    for (const name of ['', 'op-1', `${id}0`, id.replace('op-1', 'op-2'), other.next().id])
      expect(ids.numberOf(name)).toBe(null)
  })
})
