import { v2 } from '@pulseward/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxSelectorBytes, maxSelectorClauses, parseSelector, Selector, SelectorMistake } from './selector.ts'

function selector(text: string): Selector {
  const parsed = parseSelector(text)
  if (!(parsed instanceof Selector)) throw new Error(`not a selector: ${parsed?.message}`)
  return parsed
}

describe('a selector', () => {
  it.each([
    ['team=payments', true],
    ['team=search', false],
    ['team=', false],
    ['absent=', false],
    ['empty=', true],
    ['empty', true],
    ['team!=payments', false],
    ['team!=search', true],
    ['absent!=payments', true],
    ['team', true],
    ['absent', false],
    ['!absent', true],
    ['!team', false],
    ['team in (payments,search)', true],
    ['team in (search)', false],
    ['absent in (a,b)', false],
    ['team notin (payments,search)', false],
    ['team notin (search)', true],
    ['absent notin (a,b)', true],
    ['empty in (a,)', true],
    ['empty notin (,a)', false],
    ['team=payments,tier=1', true],
    ['team=payments,tier=2', false],
    ['owner=Jane Doe', true],
    ['app.kubernetes.io/name=checkout', true],
    ['constructor', false],
    ['toString!=x', true],
    ['in in (notin)', true],
    ['notin notin (a)', true],
  ])('reads %j, which is %s of a resource', (text, isMatch) => {
    const labels = {
      team: 'payments',
      tier: '1',
      empty: '',
      owner: 'Jane Doe',
      'app.kubernetes.io/name': 'checkout',
      in: 'notin',
    }
    expect(selector(text).matches(labels)).toBe(isMatch)
  })

  it.each(['', '  ', '\t'])('is none when it is %j', (text) => {
    expect(parseSelector(text)).toBeNull()
  })

  it.each([
    [' b = 2 ,a', 'a,b=2'],
    ['a,a', 'a'],
    ['! a', '!a'],
    ['a!=  b c  ', 'a!=b c'],
    ['a in(b , c,b)', 'a in (b,c)'],
    ['a notin (c,b)', 'a notin (b,c)'],
    ['a in (b)', 'a=b'],
    ['a notin (b)', 'a!=b'],
    ['a in (,)', 'a='],
    ['a in (b,)', 'a in (,b)'],
  ])('%j is %j in its canonical form', (text, canonical) => {
    expect(selector(text).text).toBe(canonical)
    expect(selector(canonical).text).toBe(canonical)
  })

  it.each([
    ['=payments', 1, 'lacks the key of a label (character 1)'],
    ['a,', 3, 'lacks the key of a label (character 3)'],
    ['a,,b', 3, 'lacks the key of a label (character 3)'],
    [',', 1, 'lacks the key of a label (character 1)'],
    ['!', 2, 'lacks the key of a label (character 2)'],
    ['!!a', 2, 'lacks the key of a label (character 2)'],
    ['-a', 1, 'lacks the key of a label (character 1)'],
    ['größe=1', 3, 'needs =, !=, in or notin between a key and its value (character 3)'],
    [`x,${'k'.repeat(64)}=1`, 3, 'has a key of more than 63 characters (character 3)'],
    ['team payments', 6, 'needs =, !=, in or notin between a key and its value (character 6)'],
    ['a inside (b)', 3, 'needs =, !=, in or notin between a key and its value (character 3)'],
    ['a IN (b)', 3, 'needs =, !=, in or notin between a key and its value (character 3)'],
    ['a!', 2, 'needs =, !=, in or notin between a key and its value (character 2)'],
    ['a>1', 2, 'needs =, !=, in or notin between a key and its value (character 2)'],
    ['!a=b', 3, 'lacks a comma between two clauses (character 3)'],
    ['a==b', 3, 'has a = that cannot stand in a value (character 3)'],
    ['a=b c=d', 6, 'has a = that cannot stand in a value (character 6)'],
    ['a=b !c', 5, 'has a ! that cannot stand in a value (character 5)'],
    ['a=(b)', 3, 'has a ( that cannot stand in a value (character 3)'],
    ['a in', 5, 'needs values in parentheses after in and notin (character 5)'],
    ['a in b', 6, 'needs values in parentheses after in and notin (character 6)'],
    ['a in ( )', 8, 'has no value between its parentheses (character 8)'],
    ['a in (b', 8, 'lacks a comma or a closing parenthesis (character 8)'],
    ['a in (b=c)', 8, 'lacks a comma or a closing parenthesis (character 8)'],
    ['a in ((b))', 7, 'lacks a comma or a closing parenthesis (character 7)'],
    ['a in (b) c', 10, 'lacks a comma between two clauses (character 10)'],
    ['a in (b))', 9, 'lacks a comma between two clauses (character 9)'],
  ])('%j is a mistake at character %i', (text, position, message) => {
    expect(parseSelector(text)).toMatchObject({ position, message })
    expect(parseSelector(text)).toBeInstanceOf(SelectorMistake)
  })

  it('has the bounds of the contract', () => {
    expect(maxSelectorClauses).toBe(v2.limits.selectorClauses)
    expect(maxSelectorBytes).toBe(v2.limits.selectorBytes)
    const clauses = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`).join()
    expect(selector(clauses(16)).text.split(',')).toHaveLength(16)
    expect(parseSelector(clauses(17))).toMatchObject({
      message: `has more than 16 clauses (character ${clauses(16).length + 2})`,
    })
    // Bytes, not characters.
    expect(selector(`k=${'ö'.repeat(511)}`).matches({ k: 'ö'.repeat(511) })).toBe(true)
    expect(parseSelector(`kk=${'ö'.repeat(511)}`)).toMatchObject({
      message: 'is longer than 1 KiB (character 515)',
    })
  })

  const key = fc.constantFrom('a', 'b', 'in', 'notin', 'x/y.z-1')
  const value = fc.stringMatching(/^([^,()=! \t]([^,()=!]{0,6}[^,()=! \t])?)?$/)
  const clause = fc.oneof(
    fc.record({ key, operator: fc.constantFrom('=', '!='), values: fc.tuple(value) }),
    fc.record({
      key,
      operator: fc.constantFrom('in', 'notin'),
      values: fc.array(value, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ key, operator: fc.constantFrom('', '!'), values: fc.constant([]) }),
  )
  type AnyClause = typeof clause extends fc.Arbitrary<infer Value> ? Value : never
  const blank = fc.constantFrom('', ' ', '\t ')

  const written = ({ key, operator, values }: AnyClause, space: string): string => {
    switch (operator) {
      case '':
        return `${space}${key}`
      case '!':
        return `!${space}${key}`
      case 'in':
      case 'notin':
        // Parentheses with nothing between them are a mistake.
        return `${key} ${operator}${space}(${values.join(`${space},`) || ','}${space})`
      default:
        return `${key}${space}${operator}${values[0]}`
    }
  }
  const holds = ({ key, operator, values }: AnyClause, labels: ReadonlyMap<string, string>): boolean => {
    const label = labels.get(key)
    const isAmong = label !== undefined && (values as readonly string[]).includes(label)
    if (operator === '') return label !== undefined
    if (operator === '!') return label === undefined
    return operator === '=' || operator === 'in' ? isAmong : !isAmong
  }

  it('means what its clauses mean, in whatever way it is written', () => {
    fc.assert(
      fc.property(
        fc.array(clause, { minLength: 1, maxLength: 5 }),
        blank,
        fc.array(fc.tuple(key, value)),
        fc.nat({ max: 8 }),
        (clauses, space, others, chosen) => {
          const parsed = selector(clauses.map((each) => written(each, space)).join(`${space},`))
          // Labels that often are among the values.
          const near = clauses.flatMap(({ key, values }) => values.map((each) => [key, each] as const))
          const labels = new Map([...near.slice(0, chosen), ...others])
          const isMatch = clauses.every((each) => holds(each, labels))
          expect(parsed.matches(Object.fromEntries(labels))).toBe(isMatch)
          expect(selector(parsed.text).text).toBe(parsed.text)
          expect(selector(parsed.text).matches(Object.fromEntries(labels))).toBe(isMatch)
          const reversed = clauses.toReversed().map((each) => written(each, ' '))
          expect(selector(reversed.join()).text).toBe(parsed.text)
        },
      ),
    )
  })

  it('answers to any text with a selector, a mistake inside the text or nothing', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary', minLength: 200, maxLength: 2_000 }),
      fc.stringMatching(/^[ab!=(), in]{0,20}$/),
    )
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parseSelector(text)
        if (!(parsed instanceof SelectorMistake)) return
        expect(parsed.position).toBeGreaterThanOrEqual(1)
        expect(parsed.position).toBeLessThanOrEqual(text.length + 1)
      }),
    )
  })
})
