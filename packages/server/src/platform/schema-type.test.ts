import { Type as TypeBox } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { Type } from './schema-type.ts'

type Builder = typeof Type

/** Everything of a schema: what JSON shows, in its order, and what it leaves out. */
function inside(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const hidden = Object.getOwnPropertyNames(value).filter((name) => !Object.keys(value).includes(name))
  const insides = (names: readonly string[]) => names.map((name) => [name, inside(Reflect.get(value, name))])
  return { shown: insides(Object.keys(value)), hidden: Object.fromEntries(insides(hidden)) }
}

const isLong = (value: unknown) => String(value).length > 3
const tooShort = () => 'too short'

const schemas: Readonly<Record<string, (type: Builder) => object>> = {
  booleans: (type) => type.Boolean({ default: true }),
  integers: (type) => type.Integer({ minimum: 1, maximum: 5, description: 'Some.' }),
  nulls: (type) => type.Null(),
  numbers: (type) => type.Number(),
  strings: (type) => type.String({ pattern: '^a' }),
  'one word': (type) => type.Literal('a', { description: 'Only this.' }),
  'one number': (type) => type.Literal(1),
  'anything at all': (type) => type.Unknown({ description: 'Any.' }),
  lists: (type) => type.Array(type.String(), { minItems: 1 }),
  'one of several words': (type) => type.Enum(['a', 'b'], { description: 'A or b.' }),
  'one of several kinds': (type) => type.Union([type.String(), type.Integer()], { description: 'Either.' }),
  objects: (type) =>
    type.Object({ a: type.String(), b: type.Optional(type.Integer()) }, { additionalProperties: false }),
  'objects of which nothing is required': (type) => type.Object({ a: type.Optional(type.String()) }),
  'empty objects': (type) => type.Object({}),
  'keys of a pattern': (type) =>
    type.Record(type.String({ pattern: '^x' }), type.Number(), { description: 'By x.' }),
  'any keys': (type) => type.Record(type.String(), type.Unknown()),
  'what is refined once and again': (type) =>
    type.Refine(type.Refine(type.String(), isLong, tooShort), isLong, tooShort),
  'optional things that are refined': (type) =>
    type.Optional(type.Refine(type.Object({ a: type.String() }), isLong, tooShort)),
  'keywords of our own': (type) => type.Unsafe<string>({ type: 'object', secret: true }),
  'optional keywords of our own': (type) => type.Object({ a: type.Optional(type.Unsafe<string>({ x: 1 })) }),
}

describe('a schema', () => {
  it.each(Object.entries(schemas))('is what the library makes of it: %s', (_, build) => {
    expect(inside(build(Type))).toEqual(inside(build(TypeBox as Builder)))
  })

  it('is understood by the library', () => {
    const schema = Type.Object({
      a: Type.Refine(Type.String(), isLong, tooShort),
      b: Type.Optional(Type.Integer()),
    })
    const compiled = Compile(schema)
    expect(compiled.Check({ a: 'long' })).toBe(true)
    expect(compiled.Check({ a: 'long', b: 'no' })).toBe(false)
    expect(compiled.Check({ a: 'no' })).toBe(false)
  })
})
