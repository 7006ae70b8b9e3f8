import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvCell, csvOf } from './csv.ts'

describe('lines of CSV', () => {
  it.each(['=1+1', '+cmd', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '  =1', '＝1'])(
    'do not let %j run as a formula',
    (name) => {
      expect(csvCell(name)).toBe(`"'${name}"`)
    },
  )

  it('leave numbers numbers, and what is not known empty', () => {
    expect(csvOf(['a', 'b', 'c'], [[-2, null, true]])).toBe('a,b,c\r\n-2,,true\r\n')
  })

  it('never let a text out of its cell', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab"\'=,;@\r\n\t\0 é😀') }), (text) => {
        const written = csvCell(text)
        const inside = written.slice(1, -1)
        expect(written.startsWith('"') && written.endsWith('"')).toBe(true)
        expect(inside.replaceAll('""', '')).not.toContain('"')
        expect(inside.replaceAll('""', '"').endsWith(text)).toBe(true)
      }),
    )
  })
})
