import { describe, expect, it } from 'vitest'
import { apply, mutantsOf } from './mutants.ts'

/** The mutated code of one line, for every mutant. */
const codeOf = (text: string) => mutantsOf('example.ts', text).map((mutant) => apply(text, mutant))

describe('the mutants of a file', () => {
  it.each([
    ['a relation', 'let a = b < c', ['let a = b <= c']],
    ['an equality', "let a = b === 'x'", ["let a = b !== 'x'"]],
    ['a sum', 'let a = b + c', ['let a = b - c']],
    ['a conjunction', 'let a = b && c', ['let a = b || c']],
    ['a negation', 'let a = !b', ['let a = b']],
    ['a condition', 'let a = b ? c : d', ['let a = !(b) ? c : d']],
    ['a truth', 'let a = true', ['let a = false']],
    ['a count', 'let a = 3', ['let a = 4']],
    ['the number one', 'let a = 1', ['let a = 0']],
    ['an amount', 'let a = 5_000', ['let a = 10000']],
    ['a word of the domain', "let a = 'red'", ["let a = 'green'"]],
    ['a fallback', 'let a = b ?? c', ['let a = (b)', 'let a = (c)']],
    ['an optional member', 'let a = b?.c', ['let a = b.c']],
    ['an optional element', 'let a = b?.[c]', ['let a = b[c]']],
    ['an optional call', 'let a = b?.(c)', ['let a = b(c)']],
    ['a quantifier', 'let a = b.every(c)', ['let a = b.some(c)']],
    ['a bound', 'let a = Math.min(b, c)', ['let a = Math.max(b, c)']],
    ['a filter', 'let a = b.filter(c)', ['let a = b']],
    ['a call for its effect', 'b(c)', [';']],
    ['an assignment', 'b = c', [';']],
    [
      'an early return',
      'function a() { if (b) return; c }',
      ['function a() { ; c }', 'function a() { if (!(b)) return; c }'],
    ],
  ])('have %s changed', (_, text, mutated) => {
    expect(codeOf(text).sort()).toEqual([...mutated].sort())
  })

  it.each([
    ['types', "type Color = 'red' | 'green'"],
    ['annotations', "let a: 'red' | 1 = b"],
    ['imports', "import { red } from 'red'"],
    ['names of properties', "let a = { 'red': b }"],
    ['a sum of texts', "let a = 'x' + b"],
    ['words that are not of the domain', "let a = 'hello'"],
    ['calls of a super constructor', 'class A extends B { constructor() { super() } }'],
  ])('leave %s alone', (_, text) => {
    expect(codeOf(text)).toEqual([])
  })

  it('name the line that they change, and how', () => {
    const [mutant] = mutantsOf('example.ts', 'let a\n  let b = c >= d\n')
    expect(mutant).toMatchObject({
      file: 'example.ts',
      line: 2,
      lineText: 'let b = c >= d',
      change: '>= becomes > in c >= d',
    })
  })
})
