import { expect, it } from 'vitest'
import { differences, type Json, pointerOf, textsIn, valueAt, withValue } from './json.ts'

it('reads own members only', () => {
  expect(valueAt({ a: [{ b: 1 }] }, ['a', 0, 'b'])).toBe(1)
  expect(valueAt({}, ['constructor'])).toBeUndefined()
  expect(valueAt({ a: 'text' }, ['a', 'length'])).toBeUndefined()
})

it.each<[string, Json, (string | number)[], Json | undefined, number | undefined, Json]>([
  ['replaces in place', { a: 1, b: 2 }, ['a'], 3, undefined, { a: 3, b: 2 }],
  ['makes what is around it', {}, ['a', 'b', 0], 'x', undefined, { a: { b: ['x'] } }],
  ['takes a member away', { a: 1, b: 2 }, ['a'], undefined, undefined, { b: 2 }],
  [
    'takes what it leaves empty with it',
    { a: { b: { c: 1 } }, d: 1 },
    ['a', 'b', 'c'],
    undefined,
    0,
    { d: 1 },
  ],
  ['keeps what must stay', { a: { b: { c: 1 } } }, ['a', 'b', 'c'], undefined, 2, { a: { b: {} } }],
  ['takes an item away', { a: [1, 2, 3] }, ['a', 1], undefined, undefined, { a: [1, 3] }],
  ['takes the place of what is of another kind', { a: 'text' }, ['a', 'b'], 1, undefined, { a: { b: 1 } }],
])('%s', (_, before, path, value, kept, after) => {
  const original = JSON.stringify(before)
  const changed = withValue(before, path, value, kept)
  expect(changed).toEqual(after)
  expect(Object.keys(changed as object)).toEqual(Object.keys(after as object))
  expect(JSON.stringify(before)).toBe(original)
})

it('treats __proto__ as a member like any other', () => {
  const changed = withValue({}, ['__proto__'], { polluted: true })
  expect(Object.keys(changed as object)).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

it('names what differs by pointer, lists as a whole, in no order of members', () => {
  expect(differences({ a: 1, 'b/c': [1] }, { 'b/c': [1, 2], a: 1, d: null })).toEqual([
    { field: '/b~1c', before: [1], after: [1, 2] },
    { field: '/d', before: undefined, after: null },
  ])
  expect(differences({ a: [{ x: 1, y: 2 }] }, { a: [{ y: 2, x: 1 }] })).toEqual([])
})

it('finds every text', () => {
  expect(
    [...textsIn({ a: ['x', { b: 'y' }], c: 1 })].map(({ path, text }) => [pointerOf(path), text]),
  ).toEqual([
    ['/a/0', 'x'],
    ['/a/1/b', 'y'],
  ])
})
