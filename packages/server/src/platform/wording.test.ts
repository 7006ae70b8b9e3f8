import { describe, expect, it } from 'vitest'
import { durationInWords, quote } from './wording.ts'

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
