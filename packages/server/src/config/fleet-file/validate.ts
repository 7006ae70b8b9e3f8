// config/fleet-file/validate.ts: finds every mistake in a value, with its path and what is allowed instead.
// The compiled validators say only yes or no, and fast; this one walks the same schema slowly and explains.
// It knows the part of JSON Schema that our schemas use and throws on any other keyword it would ignore. A file stands
// before whoever reads the message; the API must not repeat what was sent, so a mistake has words for each of the two.
import type { v2 } from '@pulseward/contract'
import type { TSchema } from 'typebox'
import { didYouMean } from '../../platform/nearest-name.ts'

export type Path = readonly (string | number)[]

export interface Mistake {
  readonly path: Path
  readonly message: string
  /** The mistake is the key at this path, not its value. */
  readonly atKey?: boolean
  /** The mistake is that the mapping at this path lacks this key; what it has is right. */
  readonly lacks?: string
  /** Its word in the API; a rule when it has none. */
  readonly reason?: v2.FieldReason
  /** The message without the value, where it differs: the rest of a sentence about the field. */
  readonly unshown?: string
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
  /** What a credential brings here must be one line. */
  readonly oneLine?: boolean
  readonly '~refine'?: readonly { check(value: unknown): boolean; error(value: unknown): string }[]
}

const understood = new Set(
  'type description properties required additionalProperties patternProperties maxProperties items minItems maxItems minLength maxLength pattern minimum maximum enum const anyOf default examples secret oneLine title'.split(
    ' ',
  ),
)

/** Whether a value stands for another one that cannot be judged here; whatever the shape says of it, it is right. */
type StandsForOther = (shape: Shape, value: unknown) => boolean
const nothingDoes: StandsForOther = () => false

/** Entries of lists always stand for themselves. */
export function mistakesOf(
  schema: TSchema,
  value: unknown,
  path: Path = [],
  standsForOther: StandsForOther = nothingDoes,
): Mistake[] {
  const found: Found = { mistakes: [], standsForOther }
  walk(schema as Shape, value, path, found)
  return found.mistakes
}

interface Found {
  readonly mistakes: Mistake[]
  readonly standsForOther: StandsForOther
}

function walk(shape: Shape, value: unknown, path: Path, found: Found): void {
  const { mistakes, standsForOther } = found
  if (standsForOther(shape, value)) return
  const before = mistakes.length
  walkStructure(shape, value, path, found)
  if (mistakes.length > before) return
  for (const { check, error } of shape['~refine'] ?? []) {
    if (!check(value)) mistakes.push({ path, message: `${error(value)}.`, reason: 'rule' })
  }
}

function walkStructure(shape: Shape, value: unknown, path: Path, found: Found): void {
  const { mistakes } = found
  const say: Say = (reason, message, unshown = message) =>
    mistakes.push({ path, message, reason, ...(unshown === message ? {} : { unshown }) })
  for (const keyword of Object.keys(shape)) {
    if (!understood.has(keyword)) throw new Error(`the schema uses ${keyword}, which validation would ignore`)
  }
  if (shape.anyOf) return walkAlternatives(shape, shape.anyOf, value, path, found)
  if (shape.enum) {
    if (!shape.enum.includes(value)) {
      const names = shape.enum.map(String)
      const nearest = typeof value === 'string' ? didYouMean(value, names) : ''
      const allowed = `one of ${names.join(', ')}.${nearest}`
      say('notAllowed', `${show(value)} is not allowed here; use ${allowed}`, `must be ${allowed}`)
    }
    return
  }
  if ('const' in shape) {
    if (value !== shape.const) {
      const only = show(shape.const)
      say('notAllowed', `${show(value)} is not allowed here; the only value is ${only}.`, `must be ${only}.`)
    }
    return
  }
  switch (shape.type) {
    case undefined:
      return
    case 'object':
      return walkObject(shape, value, path, found)
    case 'array':
      return walkArray(shape, value, path, mistakes)
    case 'string':
      return walkString(shape, value, say)
    case 'integer':
    case 'number':
      return walkNumber(shape, value, say)
    case 'boolean':
      if (typeof value !== 'boolean') mistyped('true or false', value, say)
      return
    case 'null':
      if (value !== null) mistyped('null', value, say)
      return
    default:
      throw new Error(`the schema uses type ${shape.type}, which validation does not know`)
  }
}

type Say = (reason: v2.FieldReason, message: string, unshown?: string) => void

function mistyped(expected: string, value: unknown, say: Say): void {
  say('wrongType', `must be ${expected}, not ${show(value)}.`, `must be ${expected}.`)
}

function walkAlternatives(
  shape: Shape,
  alternatives: readonly Shape[],
  value: unknown,
  path: Path,
  { mistakes, standsForOther }: Found,
): void {
  const attempts = alternatives.map((alternative) => {
    const found: Mistake[] = []
    walk(alternative, value, path, { mistakes: found, standsForOther })
    return { alternative, found }
  })
  if (attempts.some(({ found }) => found.length === 0)) return
  // An object that fails was meant for the alternative that is an object: its own mistakes help most.
  const [meant, ...others] = attempts.filter(({ alternative }) => alternative.type === kindOf(value))
  if (meant !== undefined && others.length === 0) mistakes.push(...meant.found)
  else {
    const shown = alternatives.some(({ secret }) => secret) ? whatIsWritten : show(value)
    const words = sentence(`is not allowed here; expected: ${expectation(shape)}`)
    mistakes.push({ path, message: `${shown} ${words}`, reason: 'notAllowed', unshown: words })
  }
}

function walkObject(shape: Shape, value: unknown, path: Path, found: Found): void {
  const { mistakes } = found
  if (shape.secret && kindOf(value) !== 'object') {
    const message = `a secret never stands in a fleet file; expected: ${lowerFirst(shape.description ?? '')}`
    mistakes.push({ path, message })
    return
  }
  if (kindOf(value) !== 'object') {
    const keys = Object.keys(shape.properties ?? {})
    const allowed = keys.length > 0 ? ` with the keys ${keys.join(', ')}` : ''
    mistakes.push({
      path,
      message: `must be a mapping${allowed}, not ${show(value)}.`,
      reason: 'wrongType',
      unshown: `must be an object${allowed}.`,
    })
    return
  }
  const entries = value as Record<string, unknown>
  const { maxProperties = Number.POSITIVE_INFINITY } = shape
  const keyCount = Object.keys(entries).length
  if (keyCount > maxProperties)
    mistakes.push({
      path,
      message: `has ${keyCount} keys; at most ${maxProperties} are allowed.`,
      reason: 'tooMany',
    })
  const patterns = Object.entries(shape.patternProperties ?? {}).map(
    ([pattern, inner]) => [new RegExp(pattern, 'u'), inner] as const,
  )
  for (const [key, inner] of Object.entries(entries)) {
    const at = [...path, key]
    const known = shape.properties && Object.hasOwn(shape.properties, key) ? shape.properties[key] : undefined
    const matching = known ?? patterns.find(([pattern]) => pattern.test(key))?.[1]
    if (matching) walk(matching, inner, at, found)
    else if (typeof shape.additionalProperties === 'object')
      walk(shape.additionalProperties, inner, at, found)
    else if (shape.additionalProperties === false || patterns.length > 0)
      mistakes.push({ path: at, atKey: true, ...unknownKey(key, shape) })
  }
  for (const key of shape.required ?? []) {
    if (!Object.hasOwn(entries, key)) {
      const words = sentence(`is missing; expected: ${expectation(shape.properties?.[key] ?? {})}`)
      mistakes.push({ path, lacks: key, message: `"${key}" ${words}`, reason: 'required', unshown: words })
    }
  }
}

function unknownKey(key: string, shape: Shape): Omit<Mistake, 'path'> {
  const keys = Object.keys(shape.properties ?? {})
  if (keys.length === 0) {
    const patterns = Object.keys(shape.patternProperties ?? {}).join(' or ')
    return {
      message: `the key ${show(key)} is not allowed: it must match ${patterns}.`,
      reason: 'malformed',
      unshown: `is not allowed as a name here; names match ${patterns}.`,
    }
  }
  const allowed = `${keys.join(', ')}.${didYouMean(key, keys)}`
  return {
    message: `the key ${show(key)} is unknown; allowed: ${allowed}`,
    reason: 'unknownField',
    unshown: `is not known here; known are ${allowed}`,
  }
}

function walkArray(shape: Shape, value: unknown, path: Path, mistakes: Mistake[]): void {
  if (!Array.isArray(value)) {
    mistyped('a list', value, (reason, message, unshown = message) =>
      mistakes.push({ path, message, reason, unshown }),
    )
    return
  }
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape
  if (value.length < minItems)
    mistakes.push({
      path,
      message: `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}.`,
      reason: 'tooFew',
    })
  if (value.length > maxItems)
    mistakes.push({
      path,
      message: `has ${value.length} entries; at most ${maxItems} are allowed.`,
      reason: 'tooMany',
    })
  const found = { mistakes, standsForOther: nothingDoes }
  for (const [index, item] of value.entries()) walk(shape.items ?? {}, item, [...path, index], found)
}

function walkString(shape: Shape, value: unknown, say: Say): void {
  const shown = shape.secret ? whatIsWritten : show(value)
  const expected = sentence(`expected: ${expectation(shape)}`)
  if (typeof value !== 'string')
    return say('wrongType', `must be text, not ${shown}; ${expected}`, `must be text; ${expected}`)
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = shape
  const length = [...value].length
  if (length < minLength) return say('tooShort', `must not be shorter than ${minLength} characters.`)
  if (length > maxLength) return say('tooLong', `has ${length} characters; at most ${maxLength} are allowed.`)
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    say('malformed', `${shown} is not allowed here; ${expected}`, `does not have the right form; ${expected}`)
}

function walkNumber(shape: Shape, value: unknown, say: Say): void {
  const reason = numberMistake(shape, value)
  const expected = expectation(shape)
  if (reason !== null) say(reason, `must be ${expected}, not ${show(value)}.`, `must be ${expected}.`)
}

function numberMistake(shape: Shape, value: unknown): v2.FieldReason | null {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = shape
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'wrongType'
  if (value < minimum) return 'tooSmall'
  if (value > maximum) return 'tooLarge'
  return shape.type === 'integer' && !Number.isInteger(value) ? 'notWhole' : null
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
const whatIsWritten = 'what is written'

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
