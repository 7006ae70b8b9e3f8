// config/fleet-file/validate.ts: finds every mistake in a value, with its path and what is allowed instead.
// The compiled validators say only yes or no, and fast; this one walks the same schema slowly and explains.
// It knows the part of JSON Schema that our schemas use and throws on any other keyword it would ignore.
import type { TSchema } from 'typebox'
import { didYouMean } from '../../platform/nearest-name.ts'

export type Path = readonly (string | number)[]

export interface Mistake {
  readonly path: Path
  readonly message: string
  /** The mistake is the key at this path, not its value. */
  readonly atKey?: boolean
  /** The mistake is that the mapping at this path lacks a key; what it has is right. */
  readonly isLack?: boolean
}

/** JSON Schema as we read it. */
export interface Shape {
  readonly type?: string
  readonly description?: string
  readonly properties?: Record<string, Shape>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Shape
  readonly patternProperties?: Record<string, Shape>
  readonly maxProperties?: number
  readonly items?: Shape
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Shape[]
  /** A secret may have been written here by mistake: messages do not repeat the value. */
  readonly secret?: boolean
  readonly '~refine'?: readonly { check(value: unknown): boolean; error(value: unknown): string }[]
}

const understood = new Set(
  'type description properties required additionalProperties patternProperties maxProperties items minItems maxItems minLength maxLength pattern minimum maximum enum const anyOf default examples secret title'.split(
    ' ',
  ),
)

export function mistakesOf(schema: TSchema, value: unknown, path: Path = []): Mistake[] {
  const mistakes: Mistake[] = []
  walk(schema as Shape, value, path, mistakes)
  return mistakes
}

function walk(shape: Shape, value: unknown, path: Path, mistakes: Mistake[]): void {
  const before = mistakes.length
  walkStructure(shape, value, path, mistakes)
  if (mistakes.length > before) return
  for (const { check, error } of shape['~refine'] ?? []) {
    if (!check(value)) mistakes.push({ path, message: `${error(value)}.` })
  }
}

function walkStructure(shape: Shape, value: unknown, path: Path, mistakes: Mistake[]): void {
  const say = (message: string) => mistakes.push({ path, message })
  for (const keyword of Object.keys(shape)) {
    if (!understood.has(keyword)) throw new Error(`the schema uses ${keyword}, which validation would ignore`)
  }
  if (shape.anyOf) return walkAlternatives(shape, shape.anyOf, value, path, mistakes)
  if (shape.enum) {
    if (!shape.enum.includes(value)) {
      const names = shape.enum.map(String)
      const nearest = typeof value === 'string' ? didYouMean(value, names) : ''
      say(`${show(value)} is not allowed here; use one of ${names.join(', ')}.${nearest}`)
    }
    return
  }
  if ('const' in shape) {
    if (value !== shape.const)
      say(`${show(value)} is not allowed here; the only value is ${show(shape.const)}.`)
    return
  }
  switch (shape.type) {
    case undefined:
      return
    case 'object':
      return walkObject(shape, value, path, mistakes)
    case 'array':
      return walkArray(shape, value, path, mistakes)
    case 'string':
      return walkString(shape, value, say)
    case 'integer':
    case 'number':
      return walkNumber(shape, value, say)
    case 'boolean':
      if (typeof value !== 'boolean') say(`must be true or false, not ${show(value)}.`)
      return
    case 'null':
      if (value !== null) say(`must be null, not ${show(value)}.`)
      return
    default:
      throw new Error(`the schema uses type ${shape.type}, which validation does not know`)
  }
}

function walkAlternatives(
  shape: Shape,
  alternatives: readonly Shape[],
  value: unknown,
  path: Path,
  mistakes: Mistake[],
): void {
  const attempts = alternatives.map((alternative) => {
    const found: Mistake[] = []
    walk(alternative, value, path, found)
    return { alternative, found }
  })
  if (attempts.some(({ found }) => found.length === 0)) return
  // An object that fails was meant for the alternative that is an object: its own mistakes help most.
  const [meant, ...others] = attempts.filter(({ alternative }) => alternative.type === kindOf(value))
  if (meant !== undefined && others.length === 0) mistakes.push(...meant.found)
  else {
    const shown = alternatives.some(({ secret }) => secret) ? unshown : show(value)
    mistakes.push({
      path,
      message: sentence(`${shown} is not allowed here; expected: ${expectation(shape)}`),
    })
  }
}

function walkObject(shape: Shape, value: unknown, path: Path, mistakes: Mistake[]): void {
  if (shape.secret && kindOf(value) !== 'object') {
    const message = `a secret never stands in a fleet file; expected: ${lowerFirst(shape.description ?? '')}`
    mistakes.push({ path, message })
    return
  }
  if (kindOf(value) !== 'object') {
    const keys = Object.keys(shape.properties ?? {})
    const allowed = keys.length > 0 ? ` with the keys ${keys.join(', ')}` : ''
    mistakes.push({ path, message: `must be a mapping${allowed}, not ${show(value)}.` })
    return
  }
  const entries = value as Record<string, unknown>
  const { maxProperties = Number.POSITIVE_INFINITY } = shape
  const keyCount = Object.keys(entries).length
  if (keyCount > maxProperties)
    mistakes.push({ path, message: `has ${keyCount} keys; at most ${maxProperties} are allowed.` })
  const patterns = Object.entries(shape.patternProperties ?? {}).map(
    ([pattern, inner]) => [new RegExp(pattern, 'u'), inner] as const,
  )
  for (const [key, inner] of Object.entries(entries)) {
    const at = [...path, key]
    const known = shape.properties && Object.hasOwn(shape.properties, key) ? shape.properties[key] : undefined
    const matching = known ?? patterns.find(([pattern]) => pattern.test(key))?.[1]
    if (matching) walk(matching, inner, at, mistakes)
    else if (typeof shape.additionalProperties === 'object')
      walk(shape.additionalProperties, inner, at, mistakes)
    else if (shape.additionalProperties === false || patterns.length > 0)
      mistakes.push({ path: at, atKey: true, message: unknownKey(key, shape) })
  }
  for (const key of shape.required ?? []) {
    if (!Object.hasOwn(entries, key))
      mistakes.push({
        path,
        isLack: true,
        message: sentence(`"${key}" is missing; expected: ${expectation(shape.properties?.[key] ?? {})}`),
      })
  }
}

function unknownKey(key: string, shape: Shape): string {
  const keys = Object.keys(shape.properties ?? {})
  if (keys.length === 0)
    return `the key ${show(key)} is not allowed: it must match ${Object.keys(shape.patternProperties ?? {}).join(' or ')}.`
  return `the key ${show(key)} is unknown; allowed: ${keys.join(', ')}.${didYouMean(key, keys)}`
}

function walkArray(shape: Shape, value: unknown, path: Path, mistakes: Mistake[]): void {
  if (!Array.isArray(value)) {
    mistakes.push({ path, message: `must be a list, not ${show(value)}.` })
    return
  }
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape
  if (value.length < minItems)
    mistakes.push({
      path,
      message: `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}.`,
    })
  if (value.length > maxItems)
    mistakes.push({ path, message: `has ${value.length} entries; at most ${maxItems} are allowed.` })
  for (const [index, item] of value.entries()) walk(shape.items ?? {}, item, [...path, index], mistakes)
}

function walkString(shape: Shape, value: unknown, say: (message: string) => void): void {
  const shown = shape.secret ? unshown : show(value)
  if (typeof value !== 'string')
    return void say(sentence(`must be text, not ${shown}; expected: ${expectation(shape)}`))
  const length = [...value].length
  if (length < (shape.minLength ?? 0))
    return void say(`must not be shorter than ${shape.minLength} characters.`)
  if (length > (shape.maxLength ?? Number.POSITIVE_INFINITY))
    return void say(`has ${length} characters; at most ${shape.maxLength} are allowed.`)
  if (shape.pattern && !new RegExp(shape.pattern, 'u').test(value))
    say(sentence(`${shown} is not allowed here; expected: ${expectation(shape)}`))
}

function walkNumber(shape: Shape, value: unknown, say: (message: string) => void): void {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = shape
  const fits = typeof value === 'number' && Number.isFinite(value) && value >= minimum && value <= maximum
  if (!fits || (shape.type === 'integer' && !Number.isInteger(value)))
    say(`must be ${expectation(shape)}, not ${show(value)}.`)
}

/** What would have been right, in words. */
export function expectation(shape: Shape): string {
  if (shape.anyOf) return lowerFirst(shape.description ?? shape.anyOf.map(expectation).join(' or '))
  if (shape.enum) return `one of ${shape.enum.join(', ')}`
  if ('const' in shape) return show(shape.const)
  if (shape.type === 'integer' || shape.type === 'number') {
    const noun = shape.type === 'integer' ? 'a whole number' : 'a number'
    if (shape.minimum !== undefined && shape.maximum !== undefined)
      return `${noun} from ${shape.minimum} to ${shape.maximum}`
    return shape.minimum === undefined ? noun : `${noun} of at least ${shape.minimum}`
  }
  if (shape.type === 'string' && shape.description) return lowerFirst(shape.description)
  if (shape.type === 'string') return shape.pattern ? `text that matches ${shape.pattern}` : 'text'
  if (shape.type === 'object')
    return shape.properties ? `a mapping with ${Object.keys(shape.properties).join(', ')}` : 'a mapping'
  return shape.type === 'array' ? 'a list' : (shape.type ?? 'a value')
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Stands in a message where a value is not repeated. */
const unshown = 'what is written'

/** Descriptions end with a full stop, other expectations do not. */
export function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}

// What JSON leaves as it is and a terminal obeys or hides: further controls, and marks that reorder text.
const unprintable = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/** A value in a message: one line, short, and never a whole document. */
export function show(value: unknown): string {
  const kind = kindOf(value)
  if (kind === 'object') return 'a mapping'
  if (kind === 'array') return 'a list'
  if (kind === 'null' || value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  const text = JSON.stringify(value).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
