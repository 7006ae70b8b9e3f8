import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSelector, type Selector, type SelectorClause, selectorText } from './selector.ts'

function parsed(text: string): Selector {
  const read = parseSelector(text)
  if ('mistake' in read) throw new Error(read.mistake)
  return read.selector
}

function mistakeIn(text: string): string {
  const read = parseSelector(text)
  return 'mistake' in read ? read.mistake : ''
}

describe('a selector', () => {
  it.each<[text: string, ...clauses: SelectorClause[]]>([
    [''],
    ['  '],
    ['team', { key: 'team', is: 'present' }],
    ['! team', { key: 'team', is: 'absent' }],
    [' team = payments ', { key: 'team', is: 'in', values: ['payments'] }],
    ['team!=payments', { key: 'team', is: 'notIn', values: ['payments'] }],
    ['app.example/part=', { key: 'app.example/part', is: 'in', values: [''] }],
    ['tier in ( silver , gold )', { key: 'tier', is: 'in', values: ['silver', 'gold'] }],
    ['tier notin (gold,silver)', { key: 'tier', is: 'notIn', values: ['gold', 'silver'] }],
    [
      'team=payments,tier in (gold,silver),!legacy',
      { key: 'team', is: 'in', values: ['payments'] },
      { key: 'tier', is: 'in', values: ['gold', 'silver'] },
      { key: 'legacy', is: 'absent' },
    ],
    ['constructor', { key: 'constructor', is: 'present' }],
    [
      'in in (in),notin notin (in)',
      { key: 'in', is: 'in', values: ['in'] },
      { key: 'notin', is: 'notIn', values: ['in'] },
    ],
  ])('%j is read', (text, ...clauses) => expect(parsed(text)).toEqual(clauses))

  it.each([
    'a=b=c',
    'a==b',
    'a=b,',
    ',a',
    'a,,b',
    '!',
    '=b',
    'a b',
    'a in',
    'a in ()',
    'a in (b,)',
    'a in (b',
    'a in b',
    'a notin(b',
    '-a',
    'ä=b',
    `${'a'.repeat(64)}=b`,
    'a=b\nc',
    '__proto__',
  ])('refuses %j and says what may be written', (text) => {
    expect(mistakeIn(text)).toMatch(/^has no clause at place [123]; write key=value, /)
  })

  it('has at most 16 clauses and 1,024 bytes', () => {
    const clauses = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`).join(',')
    expect(parsed(clauses(16))).toHaveLength(16)
    expect(mistakeIn(clauses(17))).toBe('has 17 clauses; at most 16 are allowed')
    expect(parsed(`k=${'ü'.repeat(511)}`)).toHaveLength(1)
    expect(mistakeIn(`k=${'ü'.repeat(512)}`)).toBe('has more than 1024 bytes')
  })

  it('has one text for all ways to write it', () => {
    expect(selectorText(parsed(' b in (y, x ,y), a = 1,!c ,a=1'))).toBe('!c,a=1,b in (x,y)')
    expect(selectorText(parsed('a in (1)'))).toBe(selectorText(parsed('a=1')))
    expect(selectorText(parsed('a notin (1)'))).toBe(selectorText(parsed('a!=1')))
    expect(selectorText(parsed(''))).toBe('')
  })

  it('means the same after it was written and read again', () => {
    const key = fc.constantFrom('a', 'b', 'in', 'x.y/z')
    const value = fc.constantFrom('1', '2', 'in', 'a b', '!x')
    const clause = fc.oneof(
      fc.record({ key, is: fc.constantFrom('present' as const, 'absent' as const) }),
      fc.record({
        key,
        is: fc.constantFrom('in' as const, 'notIn' as const),
        values: fc.array(value, { minLength: 1, maxLength: 3 }),
      }),
    )
    fc.assert(
      fc.property(fc.array(clause, { maxLength: 4 }), (selector) => {
        expect(selectorText(parsed(selectorText(selector)))).toBe(selectorText(selector))
      }),
    )
  })

  it('takes any text without failing', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseSelector(text)))
    expect(mistakeIn(`a in (${'b,'.repeat(500)}`)).not.toBe('')
  })
})
