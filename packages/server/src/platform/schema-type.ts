// platform/schema-type.ts: builds schemas like TypeBox, with its types, but without loading it. A schema is a
// plain object; the library is seven hundred files, and twelve megabytes in every thread that loads them.
import type { TSchema, Type as TypeBox } from 'typebox'

type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'Refine'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>

type Keywords = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean
type Words = (value: unknown) => string

const ofType = (kind: string) => (options?: Keywords) => ofKind(kind, { type: kind.toLowerCase() }, options)

// The library's types contain conditions that no implementation can satisfy; the test compares each function
// with the library.
export const Type = {
  Boolean: ofType('Boolean'),
  Integer: ofType('Integer'),
  Null: ofType('Null'),
  Number: ofType('Number'),
  String: ofType('String'),
  Unknown: (options?: Keywords) => ofKind('Unknown', {}, options),
  Array: (items: TSchema, options?: Keywords) => ofKind('Array', { type: 'array', items }, options),
  Enum: (values: readonly unknown[], options?: Keywords) => ofKind('Enum', { enum: values }, options),
  Literal: (value: string | number | boolean, options?: Keywords) =>
    ofKind('Literal', { type: typeof value, const: value }, options),
  Union: (anyOf: readonly TSchema[], options?: Keywords) => ofKind('Union', { anyOf }, options),
  Object: (properties: Readonly<Record<string, TSchema>>, options?: Keywords) => {
    const required = Object.keys(properties).filter((name) => !('~optional' in properties[name]!))
    return ofKind(
      'Object',
      { type: 'object', ...(required.length > 0 ? { required } : {}), properties },
      options,
    )
  },
  Record: (key: TSchema & { readonly pattern?: string }, value: TSchema, options?: Keywords) =>
    ofKind('Record', { type: 'object', patternProperties: { [key.pattern ?? '^.*$']: value } }, options),
  Optional: (schema: TSchema) => withHidden(schema, '~optional', true),
  Refine: (schema: TSchema & { readonly '~refine'?: readonly object[] }, check: Check, error: Words) =>
    withHidden(schema, '~refine', [...(schema['~refine'] ?? []), { check, error }]),
  Unsafe: (keywords: Keywords) => withHidden(keywords, '~unsafe', null),
} as unknown as Builders

function ofKind(kind: string, keywords: Keywords, options: Keywords = {}): object {
  return withHidden({ ...keywords, ...options }, '~kind', kind)
}

/** A copy with one more hidden property, which is not part of the schema's JSON. */
function withHidden(schema: object, name: string, value: unknown): object {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
  return Object.defineProperty(copy, name, { value, enumerable: false, writable: true, configurable: true })
}
