import { describe, expect, it } from 'vitest'
import { columnsOf } from './terminal.ts'

describe('the width of a line', () => {
  it.each([
    [{ isTTY: true, columns: 80 }, {}, 80],
    [{ isTTY: true, columns: 80 }, { COLUMNS: '60' }, 60],
    [{ isTTY: true, columns: 80 }, { COLUMNS: '0' }, 80],
    [{ isTTY: true, columns: 80 }, { COLUMNS: 'wide' }, 80],
    [{ isTTY: true, columns: 0 }, {}, null],
    [{ isTTY: false }, { COLUMNS: '60' }, null],
    [{}, {}, null],
  ])('of %j with %j is %j', (stream, environment, columns) => {
    expect(columnsOf(stream, environment)).toBe(columns)
  })
})
