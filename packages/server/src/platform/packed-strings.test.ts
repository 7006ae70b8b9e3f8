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

  it('refuse a string beyond the size of a chunk', () => {
    expect(() => new PackedWriter().append('x'.repeat(6_000_000))).toThrow(/5 MiB/)
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
