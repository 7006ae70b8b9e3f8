import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PackedReader, PackedWriter } from './packed-strings.ts'
import { stableHash } from './string-hash.ts'

function pack(texts: string[]): PackedReader {
  const writer = new PackedWriter()
  for (const text of texts) writer.append(text)
  return new PackedReader(writer.finish())
}

describe('packed strings', () => {
  it('give back every string by its row', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
        const reader = pack(texts)
        texts.forEach((text, row) => {
          expect(reader.get(row)).toBe(text)
          expect(reader.bytes(row).toString()).toBe(text)
        })
      }),
    )
  })

  it('may begin with empty strings, and end with one behind a full chunk', () => {
    const texts = ['', '', 'a', 'x'.repeat(65_535), '', 'b', '']
    const reader = pack(texts)
    expect(texts.map((_, row) => reader.get(row))).toEqual(texts)
  })

  it('keep their rows when they fill more than one chunk', () => {
    const texts = Array.from({ length: 40 }, (_, row) =>
      String.fromCharCode(97 + (row % 26)).repeat(1_000_000 + row),
    )
    const reader = pack(texts)
    texts.forEach((text, row) => {
      expect(reader.get(row) === text).toBe(true)
    })
  })

  it('compare rows of two collections by their bytes', () => {
    const left = pack(['a', 'grün', 'same'])
    const right = pack(['same', 'a', 'grün ', 'grün'])
    expect(left.equals(0, right, 1)).toBe(true)
    expect(left.equals(1, right, 3)).toBe(true)
    expect(left.equals(1, right, 2)).toBe(false)
    expect(left.equals(2, right, 0)).toBe(true)
  })

  it('give a row another text while it is read, also one of another chunk', () => {
    const writer = new PackedWriter()
    for (const text of ['one', 'two', 'three']) writer.append(text)
    const strings = writer.finish()
    const reader = new PackedReader(strings)
    const later = new PackedWriter(strings)
    later.set(1, 'zwei'.repeat(50_000))
    later.set(2, '')
    expect([0, 1, 2].map((row) => reader.get(row))).toEqual(['one', 'zwei'.repeat(50_000), ''])
    later.set(2, 'grün')
    expect(reader.get(2)).toBe('grün')
    expect(later.deadShare).toBeGreaterThan(0)
  })

  it('have rows without a text when they grow, and leave what was read before as it was', () => {
    const writer = new PackedWriter()
    writer.append('one')
    writer.growTo(5_000)
    const before = new PackedReader(writer.strings)
    writer.growTo(9_000)
    const after = new PackedReader(writer.strings)
    expect([0, 1, 8_999].map((row) => after.get(row))).toEqual(['one', '', ''])
    writer.set(8_999, 'last')
    writer.set(0, 'first')
    expect(after.get(8_999)).toBe('last')
    expect(before.get(0)).toBe('first')
  })

  it('hold texts of every length that is counted in another number of bytes', () => {
    const texts = [127, 128, 16_383, 16_384, 2_097_151, 2_097_152].map((length) => 'x'.repeat(length))
    const reader = pack(texts)
    expect(texts.map((_, row) => reader.lengthOf(row))).toEqual(texts.map(({ length }) => length))
    expect(reader.get(1)).toBe(texts[1])
  })

  it('refuse a string beyond the size of a chunk', () => {
    expect(() => new PackedWriter().append('x'.repeat(6_000_000))).toThrow(/5 MiB/)
  })

  it('compares a row with a text as their strings compare, in ASCII and beyond', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '🙂', '\ud83d'), maxLength: 4 })
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), text, (texts, asked) => {
        const writer = new PackedWriter()
        for (const one of texts) writer.append(one)
        texts.forEach((_, row) => {
          expect(writer.is(row, asked)).toBe(writer.get(row) === asked)
          expect(writer.is(row, writer.get(row))).toBe(true)
        })
      }),
    )
  })

  it('hashes rows as their texts are hashed, in ASCII and beyond', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
        const writer = new PackedWriter()
        for (const text of texts) writer.append(text)
        const reader = new PackedReader(writer.finish())
        texts.forEach((text, row) => {
          expect(reader.hash(row)).toBe(stableHash(reader.get(row)))
          expect(reader.get(row)).toBe(text)
        })
      }),
    )
  })
})
