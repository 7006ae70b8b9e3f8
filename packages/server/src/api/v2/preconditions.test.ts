import { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { V2Problem } from '../../requests/v2-problem.ts'
import { readPrecondition } from './preconditions.ts'

const all: readonly (readonly [v2.OperationName, v2.V2Operation])[] = v2.operationNames.map((name) => [
  name,
  v2.operations[name],
])
const withHeader = (header: string) => all.filter(([, { headers }]) => headers?.properties[header])
const versioned = withHeader('If-Match')
const creating = withHeader('If-None-Match')
const plain = all.filter(([, { headers }]) => headers === undefined)

function outcome(operation: v2.V2Operation, headers: Record<string, string>): unknown {
  try {
    return readPrecondition(operation, headers)
  } catch (error) {
    if (!(error instanceof V2Problem)) throw error
    const { status, code, errors } = error.documentFor('r')
    return [status, code, errors?.[0]?.field]
  }
}

const etag = '"1.48120"'

describe('a precondition', () => {
  it('is asked of every operation as the contract says', () => {
    const counted = [versioned, creating, plain].map(
      (some) => some.filter(([name]) => !v2.isAddition(name)).length,
    )
    expect(counted).toEqual([21, 5, 40])
  })

  it.each(versioned)('%s gives the version of If-Match', (_, operation) => {
    expect(outcome(operation, { 'if-match': etag })).toBe('1.48120')
    expect(outcome(operation, {})).toEqual([428, 'preconditionRequired', 'If-Match'])
  })

  it.each(creating)('%s needs If-None-Match: *', (_, operation) => {
    expect(outcome(operation, { 'if-none-match': '*' })).toBeNull()
    expect(outcome(operation, {})).toEqual([428, 'preconditionRequired', 'If-None-Match'])
    for (const value of ['"1"', '', '*, *', 'W/"1"', '"*"'])
      expect(outcome(operation, { 'if-none-match': value })).toEqual([
        400,
        'invalidPrecondition',
        'If-None-Match',
      ])
    expect(outcome(operation, { 'if-none-match': '*', 'if-match': etag })).toEqual([
      400,
      'invalidPrecondition',
      'If-Match',
    ])
  })

  it.each(plain)('%s refuses one that it would not look at', (_, operation) => {
    expect(outcome(operation, {})).toBeNull()
    expect(outcome(operation, { 'if-match': etag })).toEqual([400, 'invalidPrecondition', 'If-Match'])
    expect(outcome(operation, { 'if-none-match': '*' })).toEqual([
      400,
      'invalidPrecondition',
      'If-None-Match',
    ])
  })

  it.each([
    ['*', /\* would match any$/],
    ['W/"1"', /a weak one is not exact$/],
    ['w/"1"', /a weak one is not exact$/],
    ['"1", "2"', /here are several$/],
    ['"1","2"', /here are several$/],
    ['1', /in double quotes/],
    ['', /in double quotes/],
    ['""', /in double quotes/],
    ['"1', /in double quotes/],
    [' "1"', /in double quotes/],
    ['"a b"', /in double quotes/],
    ['"\u00e9"', /in double quotes/],
    [`"${'1'.repeat(129)}"`, /in double quotes/],
    ["'1'", /in double quotes/],
  ])('of If-Match %j is malformed', (value, words) => {
    const operation = v2.operations.PatchMonitor
    expect(outcome(operation, { 'if-match': value })).toEqual([400, 'invalidPrecondition', 'If-Match'])
    expect(() => readPrecondition(operation, { 'if-match': value })).toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ message: expect.stringMatching(words) })],
      }),
    )
  })

  it('takes every version that a client may send', () => {
    const characters = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index))
    const version = characters.filter((character) => character !== '"').join('')
    expect(outcome(v2.operations.DeleteMonitor, { 'if-match': `"${version}"` })).toBe(version)
  })

  it('that is missing is asked for before a wrong one is refused', () => {
    expect(outcome(v2.operations.ReplaceMonitor, { 'if-none-match': '*' })).toEqual([
      428,
      'preconditionRequired',
      'If-Match',
    ])
    expect(outcome(v2.operations.ReplaceMonitor, { 'if-none-match': '*', 'if-match': etag })).toEqual([
      400,
      'invalidPrecondition',
      'If-None-Match',
    ])
  })
})
