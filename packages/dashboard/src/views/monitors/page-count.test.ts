import { describe, expect, it } from 'vitest'
import { pageCount, rowsOfPage } from './page-count.ts'

describe('pages', () => {
  it('are counted so that every row has one', () => {
    expect(pageCount({ size: 100, total: 0 })).toBe(1)
    expect(pageCount({ size: 100, total: 100 })).toBe(1)
    expect(pageCount({ size: 500, total: 1_000_001 })).toBe(2001)
  })

  it('name their rows', () => {
    expect(rowsOfPage({ page: 2, size: 100, total: 150 })).toEqual({ first: 101, last: 150 })
    expect(rowsOfPage({ page: 1, size: 100, total: 100 })).toEqual({ first: 1, last: 100 })
  })

  it('past the end have no rows', () => {
    expect(rowsOfPage({ page: 3, size: 100, total: 200 })).toBeNull()
    expect(rowsOfPage({ page: 1, size: 100, total: 0 })).toBeNull()
  })
})
