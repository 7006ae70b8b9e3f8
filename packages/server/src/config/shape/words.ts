// config/shape/words.ts: describes values, and what shapes expect, in words for people.
import { v2 } from '@pulseward/contract'
import { kindOf, type Shape, typeOf } from './shape.ts'

/** What the shape expects. */
export function expectation(shape: Shape): string {
  if (shape.anyOf) return lowerFirst(shape.description ?? shape.anyOf.map(expectation).join(' or '))
  if (shape.enum) return `one of ${shape.enum.join(', ')}`
  if ('const' in shape) return show(shape.const)
  if (shape.type === 'integer' || shape.type === 'number') return numberWords(shape)
  if (shape.type === 'string' && shape.description) return lowerFirst(shape.description)
  if (shape.type === 'string') return shape.pattern ? `text that matches ${shape.pattern}` : 'text'
  if (shape.type === 'object')
    return shape.properties ? `a mapping with ${Object.keys(shape.properties).join(', ')}` : 'a mapping'
  return shape.type === undefined ? lowerFirst(shape.description ?? anyValue) : typesInWords([shape])
}

const anyValue = 'a value'

export function missing(shape: Shape = {}): string {
  const expected = expectation(shape)
  return expected === anyValue ? 'is missing' : `is missing; expected: ${expected}`
}

function numberWords({ type, minimum, maximum }: Shape): string {
  const noun = type === 'integer' ? 'a whole number' : 'a number'
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`
  if (maximum !== undefined) return `${noun} of at most ${maximum}`
  return minimum === undefined ? noun : `${noun} of at least ${minimum}`
}

/** The form of a text, to follow `must be`; null if the pattern has no name. */
export function formOf({ pattern = '' }: Shape): string | null {
  return v2.forms.get(pattern) ?? null
}

const typeWords: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
}

/** A number where a duration is expected, such as 30 for 30s: the text that was probably meant; null for anything else. */
export function withUnit({ type, pattern }: Shape, value: unknown): string | null {
  if (type !== 'string' || pattern === undefined) return null
  if ((typeof value !== 'number' && typeof value !== 'string') || !/^\d{1,9}$/.test(`${value}`)) return null
  const form = new RegExp(pattern, 'u')
  return form.test(`${value}s`) && !form.test(`${value}x`) ? `${value}s` : null
}

/** The JSON types of the shapes. */
export function typesInWords(shapes: readonly Shape[]): string {
  return [...new Set(shapes.map((shape) => typeWords[typeOf(shape) ?? ''] ?? 'a value'))].join(' or ')
}

/** What kind of value this is, without showing it. */
export function kindInWords(value: unknown): string {
  return typeof value === 'boolean' ? String(value) : (typeWords[kindOf(value)] ?? 'this')
}

export function lowerFirst(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text
}

/** Adds the full stop, unless the text already ends with one (a description) or with a question mark (a hint). */
export function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`
}

// Characters that JSON leaves unescaped but a terminal obeys or hides: more control characters, and marks
// that reorder text.
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
