import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PackedCursor, type PackedStrings, PackedWriter } from '../../platform/packed-strings.ts'
import { NamePatterns } from './name-patterns.ts'

function packed(names: readonly string[]): PackedStrings {
  const writer = new PackedWriter()
  for (const name of names) writer.append(name)
  return writer.finish()
}

function patternsOf(names: readonly string[]): NamePatterns | null {
  return NamePatterns.find(packed(names))
}

const withoutNumbers = (name: string) => name.replaceAll(/[0-9]+/g, '#')

describe('the patterns of names', () => {
  it('are the same for names that differ in nothing but digits', () => {
    const names = [
      'db 1',
      'db 27',
      'db',
      'db x',
      'db 1 a',
      'db 99 a',
      '1',
      '',
      'rack 1 node 2',
      'rack 17 node 3',
    ]
    expect([...patternsOf(names)!.of]).toEqual([0, 0, 1, 2, 3, 3, 4, 5, 6, 6])
  })

  it('say what stands before the first number and behind the last, in bytes', () => {
    const { heads, tails } = patternsOf(['é1', '12 rack 3 é', 'none'])!
    expect(heads.slice(0, 2)).toEqual([2, 0])
    expect(tails.slice(0, 2)).toEqual([0, 3])
    expect(heads[2]).toBeGreaterThan(100_000)
  })

  it('are given up where nearly every name has one of its own', () => {
    const letters = (row: number) =>
      row.toString(26).replaceAll(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)
    const names = Array.from({ length: 70_000 }, (_, row) => `${letters(row)}.${letters(row * 7)}`)
    expect(patternsOf(names)).toBeNull()
    expect(patternsOf(names.slice(0, 1_000))!.of.at(-1)).toBeGreaterThan(900)
  })

  it('go on when names change, also that of which a pattern was first known', () => {
    const writer = new PackedWriter()
    for (const name of ['db 1', 'db 2', 'web 1']) writer.append(name)
    const patterns = NamePatterns.find(writer.strings)!
    writer.set(0, 'web 7')
    writer.append('db 9')
    writer.append('new')
    expect(patterns.amend(writer.strings, Uint32Array.of(0, 3, 4))).toBe(true)
    expect([...patterns.of.subarray(0, 5)]).toEqual([1, 0, 1, 0, patterns.examples.length - 1])
  })

  it('tell any two names apart exactly when these differ without their numbers', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '1', '2', 'é'), maxLength: 8 })
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 60 }), (names) => {
        const strings = packed(names)
        const { of, examples } = NamePatterns.find(strings)!
        const known = [...new Set(names.map(withoutNumbers))]
        expect([...of]).toEqual(names.map((each) => known.indexOf(withoutNumbers(each))))
        const cursor = new PackedCursor(strings)
        const shown = examples.map((place) => {
          const { bytes, start, end } = cursor.moveToPlace(place)
          return withoutNumbers(bytes.toString('utf8', start, end))
        })
        expect(shown).toEqual(known)
      }),
      { numRuns: 500 },
    )
  })
})
