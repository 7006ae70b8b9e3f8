// requests/explain-shape.ts: every mistake of a value against a schema of the contract, with its JSON pointer, a stable word
// and the rest of a sentence. It knows the part of JSON Schema that the contract uses and throws on any other keyword.
// Messages never repeat a value: it may be a secret.
import { v2 } from '@pulseward/contract'
import type { TSchema } from 'typebox'
import type { Shape } from '../config/fleet-file/validate.ts'
import { didYouMean } from '../platform/nearest-name.ts'
import { type JsonPath, pointerTo } from './json-pointer.ts'
import { meantAlternative } from './meant-alternative.ts'
import type { V2FieldError } from './v2-problem.ts'

export interface ShapeMistake extends V2FieldError {
  /** A member too many or too few, or another JSON type: the body cannot be understood. */
  readonly isShape: boolean
}

export function explainShape(schema: TSchema, value: unknown): ShapeMistake[] {
  const walk = new ShapeWalk()
  walk.visit(schema as Shape, value, [])
  return walk.mistakes
}

const understood = new Set(
  'type title description properties required additionalProperties patternProperties maxProperties items minItems maxItems minLength maxLength pattern format minimum maximum enum const anyOf default writeOnly'.split(
    ' ',
  ),
)

class ShapeWalk {
  readonly mistakes: ShapeMistake[] = []

  /** One more than an answer names: enough to say that there are more. */
  get #isEnough(): boolean {
    return this.mistakes.length > v2.limits.problemErrors
  }

  visit(shape: Shape, value: unknown, path: JsonPath): void {
    for (const keyword of Object.keys(shape))
      if (!understood.has(keyword)) throw new Error(`the schema uses ${keyword}, which would be ignored`)
    const before = this.mistakes.length
    this.#structure(shape, value, path)
    if (this.mistakes.length > before) return
    for (const { check, error } of shape['~refine'] ?? [])
      if (!check(value)) this.#wrong(path, 'rule', error(value))
  }

  #structure(shape: Shape, value: unknown, path: JsonPath): void {
    if (shape.anyOf) return this.#alternatives(shape.anyOf, value, path)
    const type = typeOf(shape)
    if (type === undefined) return
    if (!isOfType(type, value)) return this.#mistyped(path, [shape], value)
    if (shape.enum) return this.#allowed(shape.enum, value, path)
    if ('const' in shape) return this.#allowed([shape.const], value, path)
    switch (type) {
      case 'object':
        return this.#object(shape, value as Record<string, unknown>, path)
      case 'array':
        return this.#array(shape, value as readonly unknown[], path)
      case 'string':
        return this.#string(shape, value as string, path)
      case 'integer':
      case 'number':
        return this.#number(shape, value as number, path)
    }
  }

  #alternatives(alternatives: readonly Shape[], value: unknown, path: JsonPath): void {
    const fitting = alternatives.filter((one) => {
      const type = typeOf(one)
      return type === undefined || isOfType(type, value)
    })
    if (fitting.length === 0) return this.#mistyped(path, alternatives, value)
    const meant = meantAlternative(fitting, value)
    if ('shape' in meant) return this.visit(meant.shape, value, path)
    const { key, allowed } = meant
    this.visit(
      { ...anyMember, required: [key], properties: { [key]: { type: 'string', enum: allowed } } },
      value,
      path,
    )
  }

  #allowed(allowed: readonly unknown[], value: unknown, path: JsonPath): void {
    if (allowed.includes(value)) return
    const names = allowed.map(String)
    const words = names.length === 1 ? `must be ${names[0]}` : `must be one of ${names.join(', ')}`
    this.#wrong(path, 'notAllowed', `${words}${hint(value, names)}`)
  }

  #object(shape: Shape, value: Record<string, unknown>, path: JsonPath): void {
    const { properties = {}, required = [], maxProperties = Number.POSITIVE_INFINITY } = shape
    const keys = Object.keys(value)
    if (keys.length > maxProperties)
      this.#wrong(path, 'tooMany', `has ${keys.length} members; at most ${maxProperties} are allowed`)
    for (const key of keys) {
      if (this.#isEnough) return
      if (Object.hasOwn(properties, key)) this.visit(properties[key]!, value[key], [...path, key])
      else this.#otherMember(shape, key, value[key], [...path, key])
    }
    for (const key of required)
      if (!Object.hasOwn(value, key))
        this.#shapeless([...path, key], 'required', `is missing${meaningOf(properties[key])}`)
  }

  #otherMember(shape: Shape, key: string, value: unknown, path: JsonPath): void {
    const [entry] = Object.entries(shape.patternProperties ?? {})
    if (entry !== undefined) {
      const [pattern, inner] = entry
      if (new RegExp(pattern, 'u').test(key)) return this.visit(inner, value, path)
      return this.#wrong(path, 'malformed', `is not allowed as a name here; names match ${pattern}`)
    }
    const { properties = {}, additionalProperties } = shape
    if (typeof additionalProperties === 'object') return this.visit(additionalProperties, value, path)
    if (additionalProperties !== false) return
    const known = Object.keys(properties)
    this.#shapeless(
      path,
      'unknownField',
      `is not known here; known are ${known.join(', ')}.${didYouMean(key, known)}`.replace(/\.$/, ''),
    )
  }

  #array(shape: Shape, value: readonly unknown[], path: JsonPath): void {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape
    if (value.length < minItems)
      this.#wrong(path, 'tooFew', `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`)
    if (value.length > maxItems)
      this.#wrong(path, 'tooMany', `has ${value.length} entries; at most ${maxItems} are allowed`)
    for (const [index, item] of value.entries()) {
      if (this.#isEnough) return
      this.visit(shape.items ?? {}, item, [...path, index])
    }
  }

  #string(shape: Shape, value: string, path: JsonPath): void {
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = shape
    const length = [...value].length
    if (length < minLength)
      this.#wrong(
        path,
        'tooShort',
        minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`,
      )
    else if (length > maxLength)
      this.#wrong(path, 'tooLong', `has ${length} characters; at most ${maxLength} are allowed`)
    else if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
      this.#wrong(path, 'malformed', formOf(shape, pattern))
  }

  #number(shape: Shape, value: number, path: JsonPath): void {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = shape
    if (value < minimum) this.#wrong(path, 'tooSmall', `must be at least ${minimum}`)
    else if (value > maximum) this.#wrong(path, 'tooLarge', `must be at most ${maximum}`)
    else if (shape.type === 'integer' && !Number.isInteger(value))
      this.#wrong(path, 'notWhole', 'must be a whole number')
  }

  #mistyped(path: JsonPath, expected: readonly Shape[], value: unknown): void {
    const words = [...new Set(expected.map((shape) => typeWords[typeOf(shape) ?? ''] ?? 'a value'))]
    this.#shapeless(path, 'wrongType', `must be ${words.join(' or ')}, not ${wordsFor(value)}`)
  }

  #shapeless(path: JsonPath, reason: v2.FieldReason, message: string): void {
    this.mistakes.push({ field: pointerTo(path), reason, message, isShape: true })
  }

  #wrong(path: JsonPath, reason: v2.FieldReason, message: string): void {
    this.mistakes.push({ field: pointerTo(path), reason, message, isShape: false })
  }
}

const anyMember = { type: 'object', additionalProperties: {} } as const

/** The JSON type that a schema asks for; undefined when any will do. */
function typeOf(shape: Shape): string | undefined {
  if (shape.type !== undefined) return shape.type
  return 'const' in shape ? typeof shape.const : undefined
}

function isOfType(type: string, value: unknown): boolean {
  // To JSON a fraction is a number like any other.
  return kindOf(value) === (type === 'integer' ? 'number' : type)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
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

function wordsFor(value: unknown): string {
  return typeof value === 'boolean' ? String(value) : (typeWords[kindOf(value)] ?? 'this')
}

function formOf(shape: Shape, pattern: string): string {
  const form = v2.forms.get(pattern)
  if (form !== undefined) return `must be ${form}`
  return shape.description === undefined
    ? `must match ${pattern}`
    : `does not have the right form${meaningOf(shape)}`
}

function meaningOf(shape: Shape | undefined): string {
  const words = shape?.description?.replace(/\.$/, '') ?? ''
  if (words === '') return ''
  return `: ${/^[A-Z][a-z ]/.test(words) ? words[0]!.toLowerCase() + words.slice(1) : words}`
}

function hint(value: unknown, names: readonly string[]): string {
  return typeof value === 'string' ? `.${didYouMean(value, names)}`.replace(/\.$/, '') : ''
}
