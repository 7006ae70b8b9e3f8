import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSelector, type Selector, selectorText, selects } from './selector.ts'

function parsed(text: string): Selector {
  const read = parseSelector(text)
  if ('mistake' in read) throw new Error(read.mistake)
  return read.selector
}

function mistakeIn(text: string): string {
  const read = parseSelector(text)
  return 'mistake' in read ? read.mistake : ''
}

const payments = { team: 'payments', tier: 'gold', 'app.example/part': '' }

describe('a selector', () => {
  it.each([
    ['', true],
    ['  ', true],
    ['team', true],
    ['owner', false],
    ['!owner', true],
    ['! team', false],
    ['team=payments', true],
    [' team = payments ', true],
    ['team=Payments', false],
    ['team!=payments', false],
    ['team!=search', true],
    ['owner!=mara', true],
    ['app.example/part=', true],
    ['tier in (gold,silver)', true],
    ['tier in ( silver , gold )', true],
    ['tier notin (gold,silver)', false],
    ['owner notin (mara)', true],
    ['owner in (mara)', false],
    ['team=payments,tier in (gold,silver),!legacy', true],
    ['team=payments,tier in (silver,bronze),!legacy', false],
    ['constructor', false],
  ])('%j decides %s', (text, expected) => expect(selects(parsed(text), payments)).toBe(expected))

  it('knows words as keys', () => {
    expect(selects(parsed('in in (in),notin notin (in)'), { in: 'in' })).toBe(true)
  })

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
    expect(mistakeIn(text)).toMatch(/^has ".*", which is not a clause; write key=value, /)
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
    const labels = fc.dictionary(key, value, { maxKeys: 3 })
    fc.assert(
      fc.property(fc.array(clause, { maxLength: 4 }), labels, (selector, of) => {
        const again = parsed(selectorText(selector))
        expect(selects(again, of)).toBe(selects(selector, of))
        expect(selectorText(again)).toBe(selectorText(selector))
      }),
    )
  })

  it('takes any text without failing', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseSelector(text)))
    expect(mistakeIn(`a in (${'b,'.repeat(500)}`)).not.toBe('')
  })
})
