// What counts as the expected answer of a database.
import { describe, expect, it } from 'vitest'
import { type Rows, requireRows } from './query-expectation.ts'

describe('requireRows', () => {
  it.each<[Rows, object]>([
    [[['1']], { value: 1 }],
    [[['1.0']], { value: 1 }],
    [[['1']], { value: '1' }],
    [[['t']], { value: true }],
    [[['0']], { value: false }],
    [[['a', 'b'], ['c']], { value: 'a', min_rows: 2, max_rows: 2 }],
    [[], { max_rows: 0 }],
    [[], {}],
  ])('is content with %j for %j', (rows, wanted) => {
    expect(() => requireRows(rows, wanted, null, undefined)).not.toThrow()
  })

  it.each<[Rows, object, string]>([
    [[['1.0']], { value: '1' }, 'the query gave "1.0" instead of "1"'],
    [[['']], { value: 0 }, 'the query gave "" instead of "0"'],
    [[['f']], { value: true }, 'the query gave "f" instead of "true"'],
    [[[null]], { value: 1 }, 'the query gave NULL instead of "1"'],
    [[], { value: 1 }, 'the query gave no value instead of "1"'],
    [[[]], { value: 1 }, 'the query gave no value instead of "1"'],
    [[['1']], { min_rows: 2 }, 'the query gave 1 row, fewer than 2'],
    [[['1'], ['2']], { max_rows: 1 }, 'the query gave 2 rows, more than 1'],
    [[['hunter22']], { value: 1 }, 'the query gave something that repeats a secret instead of "1"'],
  ])('refuses %j for %j', (rows, wanted, reason) => {
    expect(() => requireRows(rows, wanted, 'hunter22', undefined)).toThrow(reason)
  })
})
