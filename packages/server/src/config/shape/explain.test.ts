// Every kind of mistake once, in both voices. That the explanation and the fast validators agree is shown by accept.test.ts
// and requests/check-shape.test.ts.
import { expect, it } from 'vitest'
import { asFieldError, mistakesOf } from './explain.ts'
import type { Shape } from './shape.ts'

const closed: Shape = {
  type: 'object',
  properties: { host: { type: 'string', description: 'A host name.' }, port: { type: 'integer' } },
  required: ['host'],
  additionalProperties: false,
}
const word: Shape = { type: 'string', pattern: '^[a-z]+$' }
const secret: Shape = { ...word, secret: true, description: 'A word.' }

const pointerTo = (path: readonly (string | number)[]) => path.map((step) => `/${step}`).join('')

it.each<[Shape, unknown, file: string, api: string]>([
  [{ type: 'boolean' }, 'x', 'must be true or false, not "x".', ' wrongType must be true or false, not text'],
  [{ type: 'array' }, 7, 'must be a list, not 7.', ' wrongType must be a list, not a number'],
  [
    word,
    7,
    'must be text, not 7; expected: text that matches ^[a-z]+$.',
    ' wrongType must be text, not a number',
  ],
  [
    { type: 'integer', minimum: 1, maximum: 9 },
    Number.NaN,
    'must be a whole number from 1 to 9, not NaN.',
    ' wrongType must be a whole number, not a number',
  ],
  [
    closed,
    7,
    'must be a mapping with the keys host, port, not 7.',
    ' wrongType must be an object, not a number',
  ],
  [
    closed,
    {},
    '"host" is missing; expected: a host name.',
    '/host required is missing; expected: a host name',
  ],
  [
    closed,
    { host: 'a', prot: 1 },
    'the key "prot" is unknown; allowed: host, port. Did you mean "port"?',
    '/prot unknownField is unknown; allowed: host, port. Did you mean "port"?',
  ],
  [
    { type: 'object', patternProperties: { '^[a-z]+$': {} } },
    { A: 1 },
    'the key "A" is not allowed: it must match ^[a-z]+$.',
    '/A malformed is not allowed as a name here; names match ^[a-z]+$',
  ],
  [
    { type: 'object', maxProperties: 1 },
    { a: 1, b: 2 },
    'has 2 keys; at most 1 are allowed.',
    ' tooMany has 2 members; at most 1 are allowed',
  ],
  [
    { enum: ['red', 'green'] },
    'gren',
    '"gren" is not allowed here; use one of red, green. Did you mean "green"?',
    ' notAllowed must be one of red, green. Did you mean "green"?',
  ],
  [{ const: 2 }, 1, '1 is not allowed here; the only value is 2.', ' notAllowed must be 2'],
  [
    { type: 'integer', minimum: 1, maximum: 9 },
    10,
    'must be a whole number from 1 to 9, not 10.',
    ' tooLarge must be a whole number from 1 to 9',
  ],
  [
    { type: 'number', maximum: 1 },
    2,
    'must be a number of at most 1, not 2.',
    ' tooLarge must be a number of at most 1',
  ],
  [{ type: 'string', minLength: 1 }, '', 'must not be empty.', ' tooShort must not be empty'],
  [
    word,
    'B',
    '"B" is not allowed here; expected: text that matches ^[a-z]+$.',
    ' malformed does not have the right form; expected: text that matches ^[a-z]+$',
  ],
  [
    secret,
    'hunter2',
    'what is written is not allowed here; expected: a word.',
    ' malformed does not have the right form; expected: a word',
  ],
  [
    { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    7,
    '7 is not allowed here; expected: text or true or false.',
    ' wrongType must be text or true or false, not a number',
  ],
])('%j refuses %j in the words of a file and of the API', (shape, value, file, api) => {
  const [mistake, ...others] = mistakesOf(shape as never, value)
  expect(others).toEqual([])
  const { field, reason, message } = asFieldError(mistake!, pointerTo)
  expect([mistake!.message, `${field} ${reason} ${message}`]).toEqual([file, api])
})

it('finds all mistakes of a list, up to as many as are wanted', () => {
  const list: Shape = { type: 'array', items: { type: 'array', items: word } }
  const value = [['A', 'b'], ['C'], ['D', 'E']]
  const paths = (mostMistakes?: number) =>
    mistakesOf(list as never, value, [], mostMistakes === undefined ? {} : { mostMistakes }).map(({ path }) =>
      pointerTo(path),
    )
  expect(paths()).toEqual(['/0/0', '/1/0', '/2/0', '/2/1'])
  expect(paths(3)).toEqual(['/0/0', '/1/0', '/2/0'])
})

it('refuses a schema with a keyword that it would ignore', () => {
  expect(() => mistakesOf({ type: 'string', contentEncoding: 'base64' } as never, 'x')).toThrow(
    'the schema uses contentEncoding, which validation would ignore',
  )
})
