import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PackedWriter } from '../../platform/packed-strings.ts'
import { NamePatterns } from './name-patterns.ts'

function patternsOf(names: readonly string[]): NamePatterns | null {
  const writer = new PackedWriter()
  for (const name of names) writer.append(name)
  return NamePatterns.find(writer.finish())
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

  it('tell any two names apart exactly when these differ without their numbers', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '1', '2', 'é'), maxLength: 8 })
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 60 }), (names) => {
        const { of, examples } = patternsOf(names)!
        const known = [...new Set(names.map(withoutNumbers))]
        expect([...of]).toEqual(names.map((each) => known.indexOf(withoutNumbers(each))))
        expect(examples.map((row) => withoutNumbers(names[row]!))).toEqual(known)
      }),
      { numRuns: 500 },
    )
  })
})
