import { describe, expect, it } from 'vitest'
import { idFrom, isOpen, mistakeIn, newDraft, nextDraft, type Spec, specOf } from './incident-draft.ts'

const nowMs = Date.parse('2026-03-29T01:00:00Z')
const one = { id: 'checkout', name: 'Checkout', monitorRefs: ['api'] }
const several = { id: 'search', name: 'Search', match: { service: 'search' } }
const before: Spec = {
  pageRef: 'shop',
  title: 'Payments fail',
  components: [{ id: 'checkout', state: 'partial_outage' }],
  updates: [{ at: '2026-03-29T00:50:00Z', phase: 'identified', text: 'A disk.' }],
}

describe('what is written about an incident', () => {
  it('begins with the components that it is about', () => {
    expect(newDraft([one, several])).toEqual({
      title: 'Trouble with Checkout, Search',
      phase: 'investigating',
      text: '',
      states: { checkout: 'major_outage', search: 'partial_outage' },
    })
    expect(newDraft([])).toMatchObject({ title: '', states: {} })
  })

  it('becomes an incident of the page, dated now', () => {
    const draft = { ...newDraft([one]), title: ' Payments fail ', text: 'We look.' }
    expect(specOf(draft, 'shop', null, nowMs)).toEqual({
      pageRef: 'shop',
      title: 'Payments fail',
      components: [{ id: 'checkout', state: 'major_outage' }],
      updates: [{ at: '2026-03-29T01:00:00.000Z', phase: 'investigating', text: 'We look.' }],
    })
  })

  it('goes on where it was, and never goes back in time', () => {
    expect(nextDraft(before)).toMatchObject({ phase: 'identified', states: { checkout: 'partial_outage' } })
    const draft = { ...nextDraft(before), phase: 'resolved' as const, text: 'Over.' }
    const early = Date.parse('2026-03-29T00:40:00Z')
    const spec = specOf(draft, 'shop', before, early)
    expect(spec.updates.at(-1)).toEqual({ at: '2026-03-29T00:50:00.000Z', phase: 'resolved', text: 'Over.' })
    expect([isOpen({ spec: before }), isOpen({ spec })]).toEqual([true, false])
  })

  it('has a title and a text', () => {
    const draft = { ...newDraft([]), text: 'x' }
    expect(mistakeIn(draft)?.field).toBe('title')
    expect(mistakeIn({ ...draft, title: 'x', text: ' ' })?.field).toBe('text')
    expect(mistakeIn({ ...draft, title: 'x' })).toBeNull()
  })

  it('gets an address that says what it is about', () => {
    expect(idFrom('Übel: payments!', 'abc123')).toBe('ubel-payments-abc123')
    expect(idFrom('支払い', 'abc123')).toBe('abc123')
    expect(idFrom('x'.repeat(200), 'abc123').length).toBeLessThanOrEqual(63)
  })
})
