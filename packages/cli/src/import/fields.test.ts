import { describe, expect, it } from 'vitest'
import { Fields, isBlank } from './fields.ts'
import { Notes } from './notes.ts'

function reading(members: Record<string, unknown>, isUnset?: typeof isBlank) {
  const notes = new Notes()
  return { notes, fields: new Fields(members, 'shop', notes, isUnset) }
}

describe('the fields of a foreign mapping', () => {
  it('are noted when nobody has read them, also those within others', () => {
    const { notes, fields } = reading({
      url: 'a',
      more: { known: 1, novel: false },
      items: [{ x: 1 }],
      gone: null,
    })
    fields.text('url')
    fields.fields('more')?.number('known')
    fields.items('items')
    fields.close()
    expect(notes.lines()).toEqual([
      '"shop": more.novel: is not known to this import.',
      '"shop": items[0].x: is not known to this import.',
    ])
  })

  it('say nothing where the source writes every field of every monitor', () => {
    const { notes, fields } = reading({ a: 0, b: '', c: false, d: [], e: {}, f: null, g: 1 }, isBlank)
    fields.close()
    expect(notes.lines()).toEqual(['"shop": g: is not known to this import.'])
  })

  it('are noted when they are of another kind than expected', () => {
    const { notes, fields } = reading({ a: {}, b: 'x', c: 'maybe', d: 1, e: [1, {}], f: [] })
    expect([
      fields.text('a'),
      fields.number('b'),
      fields.flag('c'),
      fields.list('d'),
      fields.texts('e'),
      fields.fields('f'),
    ]).toEqual([undefined, undefined, undefined, [], ['1'], null])
    expect(notes.lines()).toHaveLength(6)
  })

  it.each([
    ['yes', true],
    ['On', true],
    ['TRUE', true],
    ['no', false],
    ['OFF', false],
    ['false', false],
  ])('have the truth values of YAML 1.1, which Go reads: %s', (text, expected) => {
    const { notes, fields } = reading({ a: text })
    expect(fields.flag('a')).toBe(expected)
    expect(notes.lines()).toEqual([])
  })

  it('are never those of the prototype', () => {
    const { fields } = reading({})
    expect(fields.take('constructor')).toBeUndefined()
  })
})

describe('notes', () => {
  it('that differ in the subject alone are one line, without anything that moves a cursor', () => {
    const notes = new Notes()
    for (const subject of ['a', 'b\u001b[2J', 'a']) notes.add(subject, 'x', 'is new')
    notes.add('c', '', 'is not carried over')
    expect(notes.lines()).toEqual(['"a", "b [2J": x: is new.', '"c": is not carried over.'])
  })
})
