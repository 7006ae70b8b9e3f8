// views/manage/schema.ts: the schemas that the service provides, sorted into the few kinds of fields that a
// form has. What fits none of them is edited as text.
import { isObject, type Json, valueAt } from './json.ts'

/** The subset of JSON Schema that the service uses. */
export interface Schema {
  readonly type?: string
  readonly description?: string
  readonly title?: string
  readonly default?: Json
  readonly const?: Json
  readonly enum?: readonly Json[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly writeOnly?: boolean
  /**
   * On an object: a reference to a credential, which v2 writes into credentialRefs. On a text: it may contain a secret.
   */
  readonly secret?: boolean
}

export type FieldKind =
  | { readonly kind: 'secret' }
  /** A text that may come from a credential. */
  | { readonly kind: 'text-or-secret' }
  | { readonly kind: 'hidden-text' }
  | { readonly kind: 'text' | 'number' | 'boolean' }
  | { readonly kind: 'choice'; readonly choices: readonly Json[] }
  /** Any of a few values, as a list. */
  | { readonly kind: 'choices'; readonly choices: readonly Json[] }
  /** A text, a number or similar, as typed. */
  | { readonly kind: 'scalar'; readonly types: readonly string[] }
  | { readonly kind: 'driver' }
  | { readonly kind: 'object' }
  | { readonly kind: 'map'; readonly value: Schema }
  | { readonly kind: 'texts'; readonly types: readonly string[] }
  | { readonly kind: 'objects'; readonly item: Schema }
  | { readonly kind: 'variants'; readonly variants: readonly Variant[] }
  | { readonly kind: 'as-text' }

export interface Variant {
  /** The member that only this variant has. */
  readonly name: string
  readonly schema: Schema
}

const scalarTypes = new Set(['string', 'integer', 'number', 'boolean', 'null'])

export function fieldKind(schema: Schema): FieldKind {
  if (isReference(schema)) return { kind: 'secret' }
  if (schema.title === 'DriverConfig') return { kind: 'driver' }
  if (schema.anyOf !== undefined) return unionKind(schema.anyOf)
  if (schema.enum !== undefined) return { kind: 'choice', choices: schema.enum }
  switch (schema.type) {
    case 'string':
      return { kind: schema.writeOnly === true ? 'hidden-text' : 'text' }
    case 'integer':
    case 'number':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array':
      return listKind(schema.items ?? {})
    case 'object':
      return objectKind(schema)
    default:
      return { kind: 'as-text' }
  }
}

function unionKind(parts: readonly Schema[]): FieldKind {
  const open = parts.filter((part) => !isReference(part))
  if (open.length === 0) return { kind: 'secret' }
  if (open.length < parts.length) return { kind: open.every(isText) ? 'text-or-secret' : 'as-text' }
  const types = open.map(scalarType)
  if (types.every((type) => scalarTypes.has(type))) return { kind: 'scalar', types }
  const variants = open.flatMap((schema) => {
    const [name, ...others] = schema.required ?? []
    return schema.type === 'object' && name !== undefined && others.length === 0 ? [{ name, schema }] : []
  })
  return variants.length === open.length ? { kind: 'variants', variants } : { kind: 'as-text' }
}

/** Words to choose from may be typed as well. */
function scalarType({ type, enum: choices = [] }: Schema): string {
  return type ?? (choices.length > 0 && choices.every((choice) => typeof choice === 'string') ? 'string' : '')
}

function isReference({ secret, type }: Schema): boolean {
  return secret === true && type !== 'string'
}

function isText({ type }: Schema): boolean {
  return type === 'string'
}

function listKind(item: Schema): FieldKind {
  const kind = fieldKind(item)
  if (kind.kind === 'text') return { kind: 'texts', types: ['string'] }
  if (kind.kind === 'scalar') return { kind: 'texts', types: kind.types }
  if (kind.kind === 'choice') return { kind: 'choices', choices: kind.choices }
  return kind.kind === 'object' ? { kind: 'objects', item } : { kind: 'as-text' }
}

function objectKind({ properties, patternProperties }: Schema): FieldKind {
  const [value, ...others] = Object.values(patternProperties ?? {})
  if (properties !== undefined) return { kind: 'object' }
  if (value === undefined || others.length > 0) return { kind: 'as-text' }
  const { kind } = fieldKind(value)
  return kind === 'text' || kind === 'text-or-secret' ? { kind: 'map', value } : { kind: 'as-text' }
}

/** Whether a form can show this value; otherwise it stays unchanged and is edited as text. */
export function fits(kind: FieldKind, value: Json | undefined): boolean {
  if (value === undefined) return true
  switch (kind.kind) {
    case 'text':
    case 'hidden-text':
    case 'text-or-secret':
      return typeof value === 'string'
    case 'secret':
    case 'as-text':
      return false
    // Invalid values are shown, to be corrected.
    case 'number':
    case 'boolean':
    case 'choice':
    case 'scalar':
      return typeof value !== 'object' || value === null
    case 'choices':
      return Array.isArray(value) && value.every((item) => kind.choices.includes(item))
    case 'driver':
    case 'object':
    case 'variants':
      return isObject(value)
    case 'map':
      return isObject(value) && Object.values(value).every((member) => typeof member === 'string')
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item !== 'object')
    case 'objects':
      return Array.isArray(value) && value.every(isObject)
  }
}

/** Typed input as a value of one of these types; otherwise as text, which the service then explains. */
export function scalarOf(typed: string, types: readonly string[]): Json {
  const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null }
  const word = Object.hasOwn(words, typed) ? words[typed] : undefined
  if (word !== undefined && types.includes(word === null ? 'null' : 'boolean')) return word
  const isNumber = /^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/.test(typed)
  return isNumber && (types.includes('number') || types.includes('integer')) ? Number(typed) : typed
}

/** `tls.server_name` reads better as words. */
export function labelOf(name: string): string {
  const spaced = name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
  const known = spaced.replaceAll(/\b(?:url|tls|ca|id|ip|dns)\b/g, (word) => word.toUpperCase())
  return known.charAt(0).toUpperCase() + known.slice(1)
}

/** Required fields and those with a value come first; the others are in the part that is closed. */
export function sortedFields(
  schema: Schema,
  isThere: (name: string) => boolean,
): { readonly first: readonly string[]; readonly more: readonly string[] } {
  const names = Object.keys(schema.properties ?? {})
  const required = new Set(schema.required ?? [])
  // A driver without required options needs one of several: all are worth showing.
  const isOpen = required.size === 0 && names.length <= 4
  const isFirst = (name: string) => isOpen || required.has(name) || isThere(name)
  return {
    first: [
      ...names.filter((name) => required.has(name)),
      ...names.filter((name) => isFirst(name) && !required.has(name)),
    ],
    more: names.filter((name) => !isFirst(name)),
  }
}

export function schemaAt(schema: Schema, names: readonly string[]): Schema | undefined {
  return names.reduce<Schema | undefined>((here, name) => here?.properties?.[name], schema)
}

/** The variant that a value has; null if none. */
export function variantOf(
  variants: readonly Variant[],
  value: Json | undefined,
  isReferred: (name: string) => boolean,
): Variant | null {
  return variants.find(({ name }) => valueAt(value, [name]) !== undefined || isReferred(name)) ?? null
}
