// platform/json-schema/schema.ts: a compiled schema: the part of JSON Schema 2020-12 that can be evaluated in
// bounded time. Every keyword has been checked, and every reference leads to a schema of the same document.
import type { LinearRegex } from '../linear-regex/linear-regex.ts'

export interface SchemaMistake {
  /** A JSON pointer into the value, or into the schema that does not compile. */
  readonly pointer: string
  readonly reason: MistakeReason
  /** The rest of a sentence about the location, without its full stop. Never repeats a value that was sent. */
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

/** The largest schema, and the deepest value. */
export interface SchemaBounds {
  readonly bytes: number
  readonly valueDepth: number
}

export interface CompiledSchema {
  /** Everything that is wrong with a value, as far as can be determined in bounded time; empty if it is valid. */
  mistakes(value: unknown): readonly SchemaMistake[]
}

export const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const
export type TypeName = (typeof typeNames)[number]

/** An empty schema has none of these, and accepts every value. */
export interface SchemaNode {
  /** Accepts no value. */
  isFalse?: true
  types?: readonly TypeName[] | undefined
  /** The allowed values, as canonical text. */
  values?: ReadonlySet<string> | undefined
  /** The same for people; null if too long. */
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
  /** The schema of the items after the prefix. */
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
