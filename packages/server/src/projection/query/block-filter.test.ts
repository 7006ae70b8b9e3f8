import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PackedWriter } from '../../platform/packed-strings.ts'
import { BlockFilter, rowsPerBlock } from './block-filter.ts'

function filterOver(names: readonly string[]): (text: string) => number[] | null {
  const writer = new PackedWriter()
  for (const name of names) writer.append(name)
  const filter = new BlockFilter(writer.finish())
  return (text) => filter.blocksWith(Buffer.from(text))
}

describe('the filter of names', () => {
  it('never leaves out a block that has the text', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '\u{1F600}'), maxLength: 12 })
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 200 }),
        fc.nat(),
        fc.nat(),
        (names, row, from) => {
          const chosen = names[row % names.length]!
          const text = [...chosen].slice(from % 4).join('')
          const blocks = filterOver(names)(text)
          if (Buffer.byteLength(text) < 3) expect(blocks).toBeNull()
          else expect(blocks).toContain(Math.floor((row % names.length) / rowsPerBlock))
        },
      ),
    )
  })

  it('leaves few blocks for a rare text, and those beyond the thirty-second too', () => {
    const names = Array.from(
      { length: 100 * rowsPerBlock },
      (_, row) => `service ${(row * 7919) % 6_400} here`,
    )
    names[70 * rowsPerBlock + 5] = 'checkout'
    const blocksWith = filterOver(names)
    expect(blocksWith('checkout')).toEqual([70])
    expect(blocksWith('service')).toHaveLength(100)
    expect(blocksWith('service 4321 ')!.length).toBeLessThan(20)
  })

  it('knows no block of an empty fleet', () => {
    expect(filterOver([])('abc')).toEqual([])
  })
})
