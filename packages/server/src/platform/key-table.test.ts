import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyTable, keyDigest } from './key-table.ts'

const rows = 40
const someDeed = fc.record({
  kind: fc.constantFrom('add', 'add', 'add previous', 'remove'),
  row: fc.nat({ max: rows - 1 }),
  key: fc.nat({ max: 60 }).map((number) => `key-${number}`),
} as const)

describe('a table of keys', () => {
  it('finds what a map of keys would find, after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(someDeed, { maxLength: 200 }), (deeds) => {
        const table = new KeyTable()
        table.growFor(rows)
        const model = new Map<string, { row: number; isPrevious: boolean }>()
        for (const { kind, row, key } of deeds) {
          const isPrevious = kind === 'add previous'
          const has = [...model.values()].some((one) => one.row === row && one.isPrevious === isPrevious)
          if (kind === 'remove') {
            table.remove(row)
            for (const [known, owner] of model) if (owner.row === row) model.delete(known)
          } else if (!has) {
            expect(table.add(keyDigest(key), row, isPrevious)).toBe(model.get(key)?.row ?? null)
            if (!model.has(key)) model.set(key, { row, isPrevious })
          }
        }
        for (let number = 0; number <= 60; number++) {
          const key = `key-${number}`
          expect(table.find(keyDigest(key))).toEqual(model.get(key) ?? null)
        }
      }),
    )
  })

  it('compares digests in full', () => {
    const table = new KeyTable()
    table.growFor(1)
    const digest = keyDigest('right')
    table.add(digest, 0, false)
    for (let word = 0; word < digest.length; word++) {
      const other = Uint32Array.from(digest, (value, index) => (index === word ? value ^ 1 : value))
      expect(table.find(other)).toBeNull()
    }
  })
})
