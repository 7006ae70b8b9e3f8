// platform/json-schema/schema.ts: a compiled schema: a part of JSON Schema 2020-12 that can be evaluated in bounded time.
// Every keyword has been checked, and every reference leads to a schema of the same document.
import type { LinearRegex } from '../linear-regex/linear-regex.ts'

export interface SchemaMistake {
  /** A JSON pointer into the value, or into the schema that does not compile. */
  readonly pointer: string
  readonly reason: MistakeReason
  /** The rest of a sentence about the place, without its full stop. Never repeats a value that was sent. */
  readonly message: string
}

export type MistakeReason =
  | 'malformed'
  | 'notAllowed'
  | 'notFound'
  | 'notWhole'
  | 'required'
  | 'rule'
  | 'tooDeep'
  | 'tooFew'
  | 'tooLarge'
  | 'tooLong'
  | 'tooMany'
  | 'tooShort'
  | 'tooSmall'
  | 'unknownField'
  | 'wrongType'

/** How large a schema may be, and how deep a value. */
export interface SchemaBounds {
  readonly bytes: number
  readonly valueDepth: number
}

export interface CompiledSchema {
  /** Everything that is wrong with a value, as far as that can be told in bounded time; empty: it fits. */
  mistakes(value: unknown): readonly SchemaMistake[]
}

export const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const
export type TypeName = (typeof typeNames)[number]

/** A schema that says nothing has none of these, and every value fits it. */
export interface SchemaNode {
  /** Nothing fits. */
  isFalse?: true
  types?: readonly TypeName[] | undefined
  /** The values that are allowed, by their canonical text. */
  values?: ReadonlySet<string> | undefined
  /** The same for people; null where there is too much of it. */
  shownValues?: string | null | undefined
  reference?: SchemaNode | undefined
  numbers?: NumberRules | undefined
  texts?: TextRules | undefined
  lists?: ListRules | undefined
  objects?: ObjectRules | undefined
  allOf?: readonly SchemaNode[] | undefined
  anyOf?: readonly SchemaNode[] | undefined
  oneOf?: readonly SchemaNode[] | undefined
  not?: SchemaNode | undefined
}

export interface NumberRules {
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly exclusiveMinimum?: number | undefined
  readonly exclusiveMaximum?: number | undefined
  readonly multipleOf?: number | undefined
}

export interface TextRules {
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly pattern?: Pattern | undefined
}

export interface ListRules {
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly uniqueItems?: boolean | undefined
  readonly prefixItems?: readonly SchemaNode[] | undefined
  /** Of those behind the prefix. */
  readonly items?: SchemaNode | undefined
}

export interface ObjectRules {
  readonly minProperties?: number | undefined
  readonly maxProperties?: number | undefined
  readonly required?: readonly string[] | undefined
  readonly properties?: ReadonlyMap<string, SchemaNode> | undefined
  readonly patternProperties?: readonly (readonly [Pattern, SchemaNode])[] | undefined
  readonly additionalProperties?: SchemaNode | undefined
  readonly propertyNames?: SchemaNode | undefined
}

export interface Pattern {
  readonly source: string
  readonly regex: LinearRegex
}
