import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changed,
  type FilterState,
  filterOf,
  filterStateOf,
  furtherFilters,
  isFiltered,
  noFilter,
  searchOf,
} from './filter-state.ts'

describe('the state of the list in the URL', () => {
  it('is read as it was written, whatever people search for', () => {
    const states: fc.Arbitrary<FilterState> = fc.record({
      q: fc.string({ unit: 'grapheme' }),
      status: fc.constantFrom('', 'incident'),
      type: fc.constantFrom('', 'http'),
      code: fc.constantFrom('', 'red'),
      tells_nobody: fc.boolean(),
      tag: fc.string({ unit: 'grapheme' }),
      label: fc.string({ unit: 'grapheme' }),
      told: fc.constantFrom('', 'ops'),
      group: fc.constantFrom('', 'people'),
      sort: fc.constantFrom('status', '-name', 'latency_ms'),
      page: fc.integer({ min: 1, max: 20_000 }),
      size: fc.integer({ min: 1, max: 500 }),
    })
    fc.assert(
      fc.property(states, (state) => {
        expect(filterStateOf(searchOf(state))).toEqual(state)
      }),
    )
  })

  it('leaves defaults out, so that the plain list has the plain link', () => {
    expect(searchOf(noFilter)).toBe('')
    expect(searchOf({ ...noFilter, q: 'a&b' })).toBe('?q=a%26b')
  })

  it('makes something that the API takes of any URL', () => {
    expect(filterStateOf('?page=0&size=9999&status=UP')).toMatchObject({ page: 1, size: 500, status: 'up' })
    expect(filterStateOf('?page=-1&size=1e3')).toMatchObject({ page: 1, size: 100 })
    expect(filterStateOf('?page=99999999999999999999')).toMatchObject({ page: 1 })
    expect(filterStateOf('?q=a&q=b').q).toBe('a')
    expect(filterOf(filterStateOf('?tells_nobody=yes'))).not.toHaveProperty('tells_nobody')
    expect(filterOf(filterStateOf('?tells_nobody=true'))).toMatchObject({ tells_nobody: 'true' })
  })

  it('begins at the first page when the filter changes', () => {
    const state = { ...noFilter, page: 7 }
    expect(changed(state, { status: 'down' })).toMatchObject({ page: 1, status: 'down' })
    expect(changed(state, { page: 8 }).page).toBe(8)
  })

  it('knows whether anything is left out', () => {
    expect(isFiltered({ ...noFilter, page: 3, size: 50 })).toBe(false)
    expect(isFiltered({ ...noFilter, code: 'red' })).toBe(true)
    expect(isFiltered({ ...noFilter, tells_nobody: true })).toBe(true)
    expect(isFiltered({ ...noFilter, sort: '-name' })).toBe(false)
    expect(isFiltered({ ...noFilter, label: 'team' })).toBe(true)
    expect(furtherFilters({ ...noFilter, tag: 'x', type: 'http' })).toBe(2)
  })

  it('asks the API for snoozed monitors apart from disabled ones', () => {
    expect(filterOf({ ...noFilter, status: 'snoozed' })).toMatchObject({ status: '', snoozed: 'true' })
    expect(filterOf({ ...noFilter, status: 'disabled' })).toMatchObject({
      status: 'disabled',
      snoozed: 'false',
    })
    expect(filterOf({ ...noFilter, status: 'up' })).not.toHaveProperty('snoozed')
  })
})
