import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PackedReader, PackedWriter } from './packed-strings.ts'
import { indexRows, RowIndex, type RowTexts } from './row-index.ts'
import { stableHash } from './string-hash.ts'

const textsOf = (rows: readonly string[]): RowTexts => ({
  is: (row, text) => rows[row] === text,
  hash: (row) => stableHash(rows[row]!),
})

describe('a row index', () => {
  it('finds what a map would find', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 4 }), { maxLength: 300 })
    fc.assert(
      fc.property(words, words, fc.integer({ min: 0, max: 8 }), (added, asked, expectedRows) => {
        const rows: string[] = []
        const texts = textsOf(rows)
        const index = new RowIndex(expectedRows)
        const known = new Map<string, number>()
        for (const text of added) {
          const isNew = index.add(text, rows.length, texts)
          expect(isNew).toBe(!known.has(text))
          if (!isNew) continue
          known.set(text, rows.length)
          rows.push(text)
        }
        for (const text of [...added, ...asked]) expect(index.find(text, texts)).toBe(known.get(text) ?? -1)
      }),
    )
  })

  it('finds what a map would find after removals, also in another thread', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 })
    const changes = fc.array(fc.tuple(fc.boolean(), word), { maxLength: 400 })
    fc.assert(
      fc.property(changes, (list) => {
        const rows: string[] = []
        const texts = textsOf(rows)
        const index = new RowIndex(1)
        const known = new Map<string, number>()
        for (const [adds, text] of list) {
          if (!adds) {
            index.remove(text, texts)
            known.delete(text)
          } else if (index.add(text, rows.length, texts)) known.set(text, rows.push(text) - 1)
        }
        const handedOver = new RowIndex(structuredClone(index.table))
        for (const [, text] of list) {
          expect(index.find(text, texts)).toBe(known.get(text) ?? -1)
          expect(handedOver.find(text, texts)).toBe(known.get(text) ?? -1)
        }
      }),
    )
  })

  it('finds every row of a large collection and none that is not in it', () => {
    const writer = new PackedWriter()
    const count = 50_000
    for (let row = 0; row < count; row++) writer.append(`service-${row}`)
    const reader = new PackedReader(writer.finish())
    const index = indexRows(reader, count)
    for (let row = 0; row < count; row++) {
      if (index.find(`service-${row}`, reader) !== row) expect.fail(`row ${row} is not found`)
      if (index.find(`service-${row + count}`, reader) !== -1) expect.fail(`row ${row + count} is found`)
    }
  })

  it('tells rows with equal hashes apart', () => {
    const rows = ['a', 'b', 'c']
    const index = new RowIndex(1)
    rows.forEach((text, row) => {
      index.add(text, row, textsOf(rows))
    })
    // Whatever hash the text has, a row that reads differently is not the one that was asked for.
    expect(index.find('a', textsOf(['something', 'else', 'entirely']))).toBe(-1)
  })
})
