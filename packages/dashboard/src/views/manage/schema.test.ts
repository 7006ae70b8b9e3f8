import { expect, it } from 'vitest'
import { fieldKind, fits, labelOf, type Schema, scalarOf, sortedFields, variantOf } from './schema.ts'

const secret: Schema = { type: 'object', secret: true, properties: { credential: { type: 'string' } } }

it.each<[Schema, string]>([
  [secret, 'secret'],
  [{ anyOf: [secret, secret] }, 'secret'],
  [{ anyOf: [{ type: 'string' }, secret] }, 'text-or-secret'],
  [{ anyOf: [{ type: 'string', secret: true }, secret] }, 'text-or-secret'],
  [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'scalar'],
  [{ anyOf: [{ enum: ['any', 'all'] }, { type: 'integer' }] }, 'scalar'],
  [{ type: 'string', writeOnly: true }, 'hidden-text'],
  [{ enum: ['a', 'b'] }, 'choice'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'choices'],
  [{ type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'string' }] } }, 'texts'],
  [{ type: 'array', items: { type: 'object', properties: {} } }, 'objects'],
  [{ type: 'object', patternProperties: { '^.*$': { anyOf: [{ type: 'string' }, secret] } } }, 'map'],
  [{ type: 'object', patternProperties: { '^.*$': {} } }, 'as-text'],
  [{ anyOf: [{ type: 'string' }, { type: 'object', required: ['regex'] }] }, 'as-text'],
  [{}, 'as-text'],
])('%j is a field of kind %s', (schema, kind) => {
  expect(fieldKind(schema).kind).toBe(kind)
})

it('tells forms of an object apart by the member that only one has, also when a credential gives it', () => {
  const kind = fieldKind({
    anyOf: [
      { type: 'object', required: ['basic'], properties: {} },
      { type: 'object', required: ['bearer'], properties: {} },
    ],
  })
  if (kind.kind !== 'variants') throw new Error(kind.kind)
  expect(variantOf(kind.variants, { basic: {} }, () => false)?.name).toBe('basic')
  expect(variantOf(kind.variants, undefined, (name) => name === 'bearer')?.name).toBe('bearer')
  expect(variantOf(kind.variants, undefined, () => false)).toBe(null)
})

it('leaves a value that a field cannot show to the text', () => {
  expect(fits({ kind: 'text' }, { hidden: 'object' })).toBe(false)
  expect(fits({ kind: 'number' }, 'twelve')).toBe(true)
  expect(fits({ kind: 'map', value: {} }, { a: 'x', b: 1 })).toBe(false)
  expect(fits({ kind: 'texts', types: ['string'] }, [['nested']])).toBe(false)
  expect(fits({ kind: 'choices', choices: ['red', 'green'] }, ['green'])).toBe(true)
  expect(fits({ kind: 'choices', choices: ['red', 'green'] }, ['blue'])).toBe(false)
})

it.each([
  ['200', ['integer', 'string'], 200],
  ['200-299', ['integer', 'string'], '200-299'],
  ['0200', ['integer', 'string'], '0200'],
  ['true', ['string', 'boolean'], true],
  ['true', ['string'], 'true'],
  ['null', ['string', 'null'], null],
  ['99999999999999999999', ['integer'], '99999999999999999999'],
  ['constructor', ['string', 'boolean'], 'constructor'],
] as const)('takes %j as one of %j', (typed, types, value) => {
  expect(scalarOf(typed, types)).toBe(value)
})

it('puts what must be given first', () => {
  const schema: Schema = {
    required: ['port'],
    properties: { a: {}, b: {}, port: {}, c: {}, d: {} },
  }
  expect(sortedFields(schema, (name) => name === 'c')).toEqual({
    first: ['port', 'c'],
    more: ['a', 'b', 'd'],
  })
})

it('makes words of names', () => {
  expect(['unhealthyThreshold', 'tls', 'server_name', 'url'].map(labelOf)).toEqual([
    'Unhealthy threshold',
    'TLS',
    'Server name',
    'URL',
  ])
})
