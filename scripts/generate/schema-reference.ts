// scripts/generate/schema-reference.ts: a JSON Schema as rows of a reference table, with nested keys as
// paths: `auth.basic.password`, `json[].path`, `headers.NAME`. Supports the part of JSON Schema that we use;
// everything in a row comes from the schema.
import { code, codes } from './markdown.ts'

export interface Shape {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly secret?: boolean
}

export interface KeyRow {
  readonly path: string
  readonly type: string
  /** The default, that the key is required, or nothing. */
  readonly fallback: string
  readonly meaning: string
  /** Takes a credential: only a credential, or plain text as well. */
  readonly secret: 'only' | 'may' | null
}

/** Every key below a shape, in the order of the schema, each followed by its nested keys. */
export function keyRows(shape: Shape, prefix = '', isAlternative = false): KeyRow[] {
  if (secrecyOf(shape) !== null) return []
  const named = groupsOf(shape.properties ?? {}).flatMap(({ keys, inner }) => {
    const key = keys.length === 1 ? keys[0]! : `{${keys.join(',')}}`
    const path = prefix === '' ? key : `${prefix}.${key}`
    const isRequired = shape.required?.includes(keys[0]!) ?? false
    const need = !isRequired ? null : isAlternative ? 'one of these' : 'required'
    return [rowOf(path, inner, need), ...keyRows(inner, path)]
  })
  const patterned = Object.values(shape.patternProperties ?? {}).flatMap((inner) =>
    keyRows(inner, `${prefix}.NAME`),
  )
  const items = shape.items === undefined ? [] : keyRows(shape.items, `${prefix}[]`)
  const alternatives = (shape.anyOf ?? []).flatMap((inner) => keyRows(inner, prefix, true))
  return [...named, ...patterned, ...items, ...alternatives]
}

/** Equal mappings side by side share their rows. */
function groupsOf(properties: Readonly<Record<string, Shape>>): { keys: string[]; inner: Shape }[] {
  const groups: { keys: string[]; inner: Shape }[] = []
  for (const [key, inner] of Object.entries(properties)) {
    const last = groups.at(-1)
    const isSame = inner.properties !== undefined && JSON.stringify(last?.inner) === JSON.stringify(inner)
    if (isSame) last!.keys.push(key)
    else groups.push({ keys: [key], inner })
  }
  return groups
}

export const keyColumns = ['Key', 'Type', 'Default', 'What it says'] as const

export function cellsOf({ path, type, fallback, meaning }: KeyRow): string[] {
  return [code(path), type, fallback, meaning]
}

function rowOf(path: string, shape: Shape, need: string | null): KeyRow {
  const fallback = shape.default === undefined ? '' : code(asWritten(shape.default))
  return {
    path,
    type: typeInWords(shape),
    fallback: need ?? fallback,
    // If both are given, the description only describes the form of a value, which the type does too.
    meaning: shape.title ?? shape.description ?? '',
    secret: secrecyOf(shape) ?? secrecyOf(Object.values(shape.patternProperties ?? {})[0] ?? {}),
  }
}

function secrecyOf(shape: Shape): KeyRow['secret'] {
  if (shape.secret && shape.properties?.['credential']) return 'only'
  return shape.anyOf?.some((inner) => secrecyOf(inner) === 'only') ? 'may' : null
}

export function typeInWords(shape: Shape): string {
  const secrecy = secrecyOf(shape)
  if (secrecy !== null) return secrecy === 'only' ? 'credential' : 'text or credential'
  if (shape.anyOf) return [...new Set(shape.anyOf.map(typeInWords))].join(', or ')
  if (shape.enum) return codes(shape.enum.map(asWritten))
  if ('const' in shape) return code(asWritten(shape.const))
  switch (shape.type) {
    case 'integer':
      return bounded('whole number', shape.minimum, shape.maximum)
    case 'number':
      return bounded('number', shape.minimum, shape.maximum)
    case 'boolean':
      return '`true`, `false`'
    case 'string':
      return shape.pattern?.endsWith('(ms|s|m|h)$') ? 'duration' : textInWords(shape)
    case 'array':
      return listInWords(shape)
    case 'object':
      return mappingInWords(shape)
    default:
      return shape.type ?? 'anything'
  }
}

function textInWords({ minLength = 0, maxLength }: Shape): string {
  if (maxLength !== undefined) return `text of at most ${maxLength} characters`
  return minLength > 0 ? 'text that is not empty' : 'text'
}

function listInWords({ items = {}, minItems, maxItems }: Shape): string {
  const count = minItems === undefined && maxItems === undefined ? '' : ` (${entries(minItems, maxItems)})`
  return `list of ${typeInWords(items)}${count}`
}

function mappingInWords({ patternProperties }: Shape): string {
  const [values] = Object.values(patternProperties ?? {})
  return values === undefined ? 'mapping' : `mapping of names to ${typeInWords(values)}`
}

function bounded(noun: string, minimum: number | undefined, maximum: number | undefined): string {
  if (maximum === undefined) return minimum === undefined ? noun : `${noun}, at least ${minimum}`
  return `${noun}, ${minimum ?? 0} to ${maximum}`
}

function entries(minItems: number | undefined, maxItems: number | undefined): string {
  if (maxItems === undefined) return `at least ${minItems}`
  return minItems === undefined ? `at most ${maxItems}` : `${minItems} to ${maxItems}`
}

/** A value as one would write it in YAML. */
export function asWritten(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? `[${value.map(asWritten).join(', ')}]` : JSON.stringify(value)
}
