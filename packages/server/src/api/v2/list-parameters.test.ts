import { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { V2Problem } from '../../requests/v2-problem.ts'
import { readListParameters } from './list-parameters.ts'

function refusalOf(operation: v2.V2Operation, search: string): [string, string[]] {
  try {
    readListParameters(operation, search)
  } catch (error) {
    if (!(error instanceof V2Problem)) throw error
    expect(error.documentFor('r').status).toBe(400)
    return [error.code, error.errors.map(({ field, reason }) => `${field} ${reason}`)]
  }
  return ['', []]
}

const { ListMonitors, ListIncidents, GetQueues, GetOperation, GetState } = v2.operations

const unasked = { monitorID: null, state: null, from: null, to: null, at: null, endpoint: null }

describe('the parameters of a list', () => {
  it('are a hundred rows of everything, unless told', () => {
    const everything = { limit: 100, cursor: null, selector: [], ...unasked }
    expect(readListParameters(ListMonitors, '')).toEqual(everything)
    expect(readListParameters(ListMonitors, 'selector=')).toEqual(everything)
    expect(readListParameters(GetState, '')).toEqual(everything)
  })

  it('are decoded', () => {
    expect(readListParameters(ListMonitors, 'limit=500&cursor=abc&selector=team%3Dpay%20ments,%21x')).toEqual(
      {
        limit: 500,
        cursor: 'abc',
        selector: [
          { key: 'team', is: 'in', values: ['pay ments'] },
          { key: 'x', is: 'absent' },
        ],
        ...unasked,
      },
    )
    expect(readListParameters(ListIncidents, 'monitorID=name%3Aab')).toMatchObject({ monitorID: 'name:ab' })
  })

  it.each([
    ['1', ''],
    ['500', ''],
    ['007', ''],
    ['0', 'limit tooSmall'],
    ['501', 'limit tooLarge'],
    ['9'.repeat(400), 'limit tooLarge'],
    ['', 'limit malformed'],
    ['-1', 'limit malformed'],
    ['1.5', 'limit malformed'],
    ['1e2', 'limit malformed'],
    ['+5', 'limit malformed'],
    [' 5', 'limit malformed'],
    ['0x10', 'limit malformed'],
    ['\u0661', 'limit malformed'],
  ])('have the limit %s or not', (limit, expected) => {
    const search = new URLSearchParams({ limit }).toString()
    const refused = expected === '' ? ['', []] : ['invalidParameter', [expected]]
    expect(refusalOf(ListMonitors, search)).toEqual(refused)
  })

  it('are refused all at once', () => {
    const search = `limit=0&cursor=&selector=a==b&monitorID=${'m'.repeat(257)}&Limit=3&verbose`
    expect(refusalOf(ListMonitors, search)).toEqual([
      'invalidParameter',
      [
        'Limit unknownField',
        'verbose unknownField',
        'limit tooSmall',
        'cursor tooShort',
        'selector malformed',
        'monitorID tooLong',
      ],
    ])
  })

  it.each(['limit=1&limit=1', 'cursor=a&cursor=b', 'selector=a&selector=a', 'monitorID=a&monitorID=a'])(
    'may not stand twice: %s',
    (search) => {
      expect(refusalOf(ListMonitors, search)).toEqual([
        'invalidParameter',
        [`${search.split('=')[0]} repeated`],
      ])
    },
  )

  it('that an operation does not know are refused', () => {
    expect(refusalOf(GetState, 'limit=1')).toEqual(['invalidParameter', ['limit unknownField']])
    expect(refusalOf(GetOperation, 'limit=1&cursor=a')).toEqual(['', []])
    expect(refusalOf(GetOperation, 'selector=a')).toEqual(['invalidParameter', ['selector unknownField']])
    expect(refusalOf(ListMonitors, '__proto__=1')).toEqual(['invalidParameter', ['__proto__ unknownField']])
    expect(() => readListParameters(ListMonitors, 'selecter=a')).toThrow(
      'selecter is not known; known are cursor, limit, selector, monitorID. Did you mean "selector"?',
    )
  })

  it('take a selector of at most 16 clauses and 1,024 bytes', () => {
    expect(refusalOf(ListMonitors, `selector=${Array.from({ length: 17 }, () => 'a').join(',')}`)).toEqual([
      'invalidParameter',
      ['selector malformed'],
    ])
    expect(refusalOf(ListMonitors, `selector=k=${'%C3%BC'.repeat(512)}`)).toEqual([
      'invalidParameter',
      ['selector malformed'],
    ])
  })
})

describe('the state of a row', () => {
  it('is one of the states of operations, of a list that knows it', () => {
    const { ListOperations } = v2.operations
    expect(readListParameters(ListOperations, 'state=staging')).toMatchObject({ state: 'staging' })
    expect(refusalOf(ListOperations, 'state=asleep')).toEqual(['invalidParameter', ['state notAllowed']])
    expect(refusalOf(ListOperations, 'state=')).toEqual(['invalidParameter', ['state notAllowed']])
    expect(refusalOf(ListMonitors, 'state=staging')).toEqual(['invalidParameter', ['state unknownField']])
  })
})

describe('a filter', () => {
  const lists = v2.operationNames
    .map((name): [string, v2.V2Operation] => [name, v2.operations[name]])
    .filter(([, { filters }]) => filters !== undefined)

  it.each(lists)('applies to the rows of %s, or is refused', (_, operation) => {
    const unsupported = (filter: v2.ListFilter) =>
      operation.filters?.includes(filter) ? ['', []] : ['unsupportedFilter', [`${filter} misplaced`]]
    expect(refusalOf(operation, 'selector=team')).toEqual(unsupported('selector'))
    expect(refusalOf(operation, 'monitorID=a')).toEqual(unsupported('monitorID'))
    expect(refusalOf(operation, 'selector=')).toEqual(['', []])
  })

  it('that is wrong in itself is told before that it cannot apply', () => {
    expect(refusalOf(GetQueues, 'selector=a==b')).toEqual(['invalidParameter', ['selector malformed']])
    expect(() => readListParameters(GetQueues, 'selector=a&monitorID=b')).toThrow(
      'This list cannot be filtered by selector and monitorID.',
    )
  })
})
