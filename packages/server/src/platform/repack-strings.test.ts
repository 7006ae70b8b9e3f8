import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PackedReader, type PackedStrings, PackedWriter } from './packed-strings.ts'
import { repackStrings } from './repack-strings.ts'

function repacked(strings: PackedStrings, rows: Uint32Array): PackedStrings {
  const chunks: SharedArrayBuffer[] = []
  const starts = new Uint32Array(rows.length)
  repackStrings(strings, rows, starts, (chunk) => {
    const kept = new SharedArrayBuffer(chunk.length)
    new Uint8Array(kept).set(chunk)
    chunks.push(kept)
  })
  return { chunks, starts }
}

function textsOf(strings: PackedStrings): string[] {
  const reader = new PackedReader(strings)
  return Array.from(strings.starts, (_, row) => reader.get(row))
}

const text = fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', maxLength: 300 }))

it('keeps the last text of every row that is asked for, in that order, and nothing else', {
  tags: 'long',
}, () => {
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1 }),
      fc.array(fc.tuple(fc.nat(), text)),
      fc.array(fc.nat()),
      (first, later, wanted) => {
        const writer = new PackedWriter()
        const expected = [...first]
        for (const each of first) writer.append(each)
        for (const [number, each] of later) {
          expected[number % first.length] = each
          writer.set(number % first.length, each)
        }
        const rows = Uint32Array.from(wanted, (number) => number % first.length)
        const strings = repacked(writer.finish(), rows)
        expect(textsOf(strings)).toEqual(Array.from(rows, (row) => expected[row]))
        const bytes = Array.from(rows, (row) => Buffer.byteLength(expected[row]!))
        const most = bytes.reduce((sum, each) => sum + each + 2, 1)
        expect(strings.chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)).toBeLessThanOrEqual(most)
      },
    ),
  )
})

it('goes over to another chunk with a text that the last one has no room for', () => {
  const writer = new PackedWriter()
  const texts = Array.from({ length: 10 }, (_, number) => String(number).repeat(4_000_000))
  for (const each of texts) writer.append(each)
  const strings = repacked(writer.finish(), Uint32Array.from(texts.keys()))
  expect(strings.chunks.length).toBeGreaterThan(2)
  expect(textsOf(strings)).toEqual(texts)
})

it('leaves out a text in a chunk that was added after the others were known', () => {
  const writer = new PackedWriter()
  writer.append('known')
  writer.append('changed')
  const { chunks, starts } = writer.finish()
  const before = { chunks: [...chunks], starts }
  writer.set(1, 'x'.repeat(1_000_000))
  expect(textsOf(repacked(before, Uint32Array.of(0, 1)))).toEqual(['known', ''])
})
