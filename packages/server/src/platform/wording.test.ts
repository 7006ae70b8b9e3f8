import { describe, expect, it } from 'vitest'
import { bytesInWords, counted, durationInWords, onOneLine, quote } from './wording.ts'

describe('wording', () => {
  it('quotes foreign text on one short line without anything invisible', () => {
    expect(quote(' ok\r\n\u001b[31mred\u202e ')).toBe('"ok [31mred"')
    expect(quote('x'.repeat(81))).toBe(`"${'x'.repeat(80)}…"`)
    expect(quote('😀'.repeat(100))).toBe(`"${'😀'.repeat(80)}…"`)
    expect(quote('x'.repeat(10_000_000))).toHaveLength(83)
  })

  it.each([
    [0.4, '0 ms'],
    [250, '250 ms'],
    [1_000, '1 s'],
    [2_345, '2.35 s'],
  ])('says %d milliseconds as %s', (durationMs, words) => {
    expect(durationInWords(durationMs)).toBe(words)
  })
})

describe('a count', () => {
  it.each([
    [0, '0 monitors'],
    [1, '1 monitor'],
    [12, '12 monitors'],
  ])('of %d has the right number', (count, words) => {
    expect(counted(count, 'monitor')).toBe(words)
  })
})

describe('a size', () => {
  it.each([
    [1, '1 byte'],
    [1_025, '1025 bytes'],
    [2_048, '2 KiB'],
    [1_048_576, '1 MiB'],
  ])('of %d bytes is written in the largest unit that is exact', (bytes, words) => {
    expect(bytesInWords(bytes)).toBe(words)
  })
})

describe('a text on one line', () => {
  it('has nothing that cannot be seen', () => {
    expect(onOneLine(' a\r\nb\tc\0d\u202ee\u2028f\ud800g\u200bh ')).toBe('a b c d e f g h')
  })

  it('keeps letters, marks and emoji of every script', () => {
    expect(onOneLine('Größe 東京 🔥 é עברית')).toBe('Größe 東京 🔥 é עברית')
  })
})
