import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PackedWriter } from '../../platform/packed-strings.ts'
import { NameSearch } from './name-search.ts'

function searchOver(names: readonly string[]): (text: string) => number[] {
  const writer = new PackedWriter()
  for (const name of names) writer.append(name)
  const search = new NameSearch(writer.finish())
  return (text) => {
    const { marks, count } = search.rowsWith(text)
    const rows = [...marks.keys()].filter((row) => marks[row] === 1)
    expect(count).toBe(rows.length)
    return rows
  }
}

const rowsOf = (names: readonly string[], text: string) =>
  [...names.keys()].filter((row) => names[row]!.includes(text))

/** More than there may be patterns. */
function namesWithoutPattern(): string[] {
  const letters = 'abcdefghij'
  const word = (row: number) => Array.from(String(row), (digit) => letters[Number(digit)]).join('')
  return Array.from({ length: 70_000 }, (_, row) => `${word(row)} ${row % 3 ? 'east' : 'west'} ${row % 7}`)
}

describe('searching packed names', () => {
  it('finds no match that reaches from one name into the next', () => {
    const find = searchOver(['ab', 'ba', '', 'ab'])
    expect(find('bb')).toEqual([])
    expect(find('aab')).toEqual([])
    expect(find('ab')).toEqual([0, 3])
    expect(find('abba')).toEqual([])
  })

  it('finds a match behind one that reaches too far', () => {
    expect(searchOver(['aaa', 'aaaa', 'a'])('aaaa')).toEqual([1])
  })

  it('finds nothing in the unused bytes behind the last name', () => {
    expect(searchOver(['a'])('\0')).toEqual([])
    expect(searchOver([])('a')).toEqual([])
  })

  it('finds whole characters only', () => {
    // The last byte of é alone is no text; its neighbours in UTF-8 share the first.
    expect(searchOver(['é', 'è', '\u{1F600}', '\u{1F601}'])('é')).toEqual([0])
    expect(searchOver(['é', 'è', '\u{1F600}', '\u{1F601}'])('\u{1F601}')).toEqual([3])
  })

  it('agrees with looking at each name, for rare and frequent texts, over several chunks', () => {
    const names = Array.from(
      { length: 9_000 },
      (_, row) =>
        `service ${(row * 7919) % 9_000} ${row % 2 ? 'eastern' : 'west'}${row > 4_000 ? ' région on' : ''}`,
    )
    names[4_321] = 'an only one'
    const find = searchOver(names)
    const texts = [
      'service',
      'e',
      'on',
      'eastern',
      'région',
      'service 77',
      'only',
      'st',
      'none',
      ' 1',
      'x'.repeat(300),
    ]
    for (const text of texts) expect(find(text), text).toEqual(rowsOf(names, text))
    // Asked again, after others have pushed it out of what is remembered and while it is still there.
    for (const text of ['service', 'service', 'only']) expect(find(text), text).toEqual(rowsOf(names, text))
  })

  it('agrees with looking at each name where names follow no pattern', () => {
    const names = namesWithoutPattern()
    const find = searchOver(names)
    for (const text of ['abc', 'east', 'h', 'hhhh', ' 3', 't 6', '6', 'west 1', 'none'])
      expect(find(text), text).toEqual(rowsOf(names, text))
  })

  it('finds names that were changed in another order than that of their rows', () => {
    const writer = new PackedWriter()
    for (const name of namesWithoutPattern()) writer.append(name)
    const names = writer.finish()
    writer.set(7, 'quiet xy')
    const search = new NameSearch(names)
    writer.set(9, 'quiet z')
    writer.set(8, 'quiet y')
    writer.set(9, 'quiet xz')
    search.amend(names, Uint32Array.of(9, 8))
    const rowsWith = (text: string) => search.rowsWith(text).marks.reduce((sum, mark) => sum + mark, 0)
    expect(['xy', 'xz', ' y', ' z'].map(rowsWith)).toEqual([1, 1, 1, 0])
  })

  it('agrees with looking at each name, whatever is in them', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '1', '2', ' ', 'ß', 'é', '\u0301', '\u{1F600}'),
      maxLength: 6,
    })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 300 }), text, (names, wanted) => {
        fc.pre(wanted !== '')
        expect(searchOver(names)(wanted)).toEqual(rowsOf(names, wanted))
      }),
      { numRuns: 300 },
    )
  })
})
