import { describe, expect, it } from 'vitest'
import { mistakeIn, withOverrides, without } from './override-draft.ts'

const christmas = { from: '2026-12-24T09:00', to: '2026-12-27T09:00', personRef: 'bo' }
const nameOf = (person: string) => (person === 'bo' ? 'Bo Lind' : person)
const draft = (from: string, to: string, personRef = 'ana') => ({ from, to, personRef })

describe('a typed override', () => {
  it.each([
    [draft('2026-12-24T09:00', '2026-12-27T09:00', ''), 'personRef', /^Choose who/],
    [draft('', '2026-12-27T09:00'), 'from', /begins\.$/],
    [draft('2026-12-24T09:00', ''), 'to', /ends\.$/],
    [draft('2026-12-24T09:00', '2026-12-24T09:00'), 'to', /^It must end after it begins/],
    [
      draft('2026-12-20T00:00', '2026-12-24T09:01'),
      'from',
      /^It overlaps another override \(Bo Lind, Thu 24 Dec, 09:00 – /,
    ],
    [draft('2026-12-25T00:00', '2026-12-26T00:00'), 'from', /^It overlaps/],
    [draft('2026-12-27T08:59', '2026-12-28T00:00'), 'from', /^It overlaps/],
  ] as const)('names what is wrong with %j', (typed, field, sentence) => {
    expect(mistakeIn(typed, [christmas], nameOf)).toMatchObject({
      field,
      sentence: expect.stringMatching(sentence),
    })
  })

  it.each([draft('2026-12-20T00:00', '2026-12-24T09:00'), draft('2026-12-27T09:00', '2026-12-28T00:00')])(
    'may end where another begins, and begin where it ends: %j',
    (typed) => {
      expect(mistakeIn(typed, [christmas], nameOf)).toBeNull()
    },
  )

  it('may take the place of the one that it replaces', () => {
    const longer = { ...christmas, to: '2026-12-28T09:00' }
    expect(mistakeIn(longer, [christmas], nameOf)).not.toBeNull()
    expect(mistakeIn(longer, without([christmas], { ...christmas }), nameOf)).toBeNull()
  })
})

it('writes overrides into the document, and leaves the rest as it was', () => {
  const document = { kind: 'Schedule', spec: { timezone: 'Europe/Berlin', overrides: [{ ...christmas }] } }
  expect(withOverrides(document, [])).toEqual({ kind: 'Schedule', spec: { timezone: 'Europe/Berlin' } })
  const second = { ...christmas, from: '2026-12-27T09:00', to: '2026-12-28T09:00' }
  expect(withOverrides(document, [christmas, second])).toEqual({
    ...document,
    spec: { ...document.spec, overrides: [christmas, second] },
  })
})
