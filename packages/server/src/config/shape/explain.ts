// config/shape/explain.ts: finds every mistake of a value against one of our schemas, with its path. Used for fleet
// files, settings, and bodies and resources of the API. The compiled validators are fast and only accept or refuse; this
// one walks the same schema slowly. A message about a file may show the value, because its reader has the file. The API
// must not repeat what was sent, which may be a secret. So a mistake has words for both.
import type { v2 } from '@pulseward/contract'
import type { TSchema } from 'typebox'
import { didYouMean } from '../../platform/nearest-name.ts'
import { meantAlternative } from './meant-alternative.ts'
import { isOfType, isSecret, kindOf, type Path, refuseUnknownKeywords, type Shape, typeOf } from './shape.ts'
import {
  expectation,
  formOf,
  kindInWords,
  lowerFirst,
  missing,
  sentence,
  show,
  typesInWords,
  withUnit,
} from './words.ts'

export interface Mistake {
  readonly path: Path
  /** A whole sentence, which may show the value. */
  readonly message: string
  /** The mistake is in the key at this path, not in its value. */
  readonly atKey?: boolean
  /** The mapping at this path lacks this key; the members that it has are not at fault. */
  readonly lacks?: string
  /** The reason in the API; `rule` if absent. */
  readonly reason?: v2.FieldReason
  /** The message without the value, if it differs: the rest of a sentence about the field. */
  readonly unshown?: string
}

export interface FieldError {
  /** A JSON pointer. */
  readonly field: string
  readonly reason: v2.FieldReason
  /** The rest of a sentence about the field, without its full stop. */
  readonly message: string
}

/** Whether the words for a mistake may show the value: only what is never a secret is shown in the API. */
export type Voice = 'shown' | 'unshown'

/** Converts a mistake to a field error of the API. A key that is missing is named by the field. */
export function asFieldError(
  { path, lacks, reason, message, unshown = message }: Mistake,
  pointerTo: (path: Path) => string,
  voice: Voice = 'unshown',
): FieldError {
  const field = pointerTo(lacks === undefined ? path : [...path, lacks])
  const words = voice === 'shown' && lacks === undefined ? message : unshown
  return { field, reason: reason ?? 'rule', message: words.replace(/\.$/, '') }
}

interface ExplainOptions {
  /**
   * Whether a value stands for another one that cannot be validated here, such as a reference. Entries of lists never do.
   */
  readonly standsForOther?: (shape: Shape, value: unknown) => boolean
  /** Stops looking after this many mistakes. */
  readonly mostMistakes?: number
}

export function mistakesOf(
  schema: TSchema,
  value: unknown,
  path: Path = [],
  options: ExplainOptions = {},
): Mistake[] {
  const walk = new Walk(options)
  walk.visit(schema as Shape, value, path)
  return walk.mistakes
}

/** Replaces the value in a message that must not show it. */
const whatIsWritten = 'what is written'

class Walk {
  readonly mistakes: Mistake[] = []
  readonly #options: ExplainOptions

  constructor(options: ExplainOptions) {
    this.#options = options
  }

  get #isEnough(): boolean {
    return this.mistakes.length >= (this.#options.mostMistakes ?? Number.POSITIVE_INFINITY)
  }

  visit(shape: Shape, value: unknown, path: Path): void {
    refuseUnknownKeywords(shape)
    if (this.#options.standsForOther?.(shape, value)) return
    const before = this.mistakes.length
    this.#structure(shape, value, path)
    if (this.mistakes.length > before) return
    for (const { check, error } of shape['~refine'] ?? [])
      if (!check(value)) this.#say(path, 'rule', error(value))
  }

  #structure(shape: Shape, value: unknown, path: Path): void {
    if (shape.anyOf) return this.#alternatives(shape, shape.anyOf, value, path)
    if (!isOfType(typeOf(shape), value)) return this.#mistyped(shape, value, path)
    if (shape.enum) return this.#allowed(shape.enum, value, path)
    if ('const' in shape) return this.#allowed([shape.const], value, path)
    switch (shape.type) {
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

  #mistyped(shape: Shape, value: unknown, path: Path): void {
    if (shape.secret && shape.type === 'object')
      return this.#say(
        path,
        'rule',
        `a secret must not be written in a fleet file; write ${lowerFirst(shape.description ?? '')}`,
      )
    const unshown = `must be ${typesInWords([shape])}, not ${kindInWords(value)}`
    if (!this.#needsUnit(shape, value, path, 'wrongType'))
      this.#say(path, 'wrongType', fileWordsOfType(shape, value), unshown)
  }

  #needsUnit(shape: Shape, value: unknown, path: Path, reason: v2.FieldReason): boolean {
    const meant = withUnit(shape, value)
    if (meant === null) return false
    const unshown = 'needs a unit: a duration is written as 250ms, 30s, 5m or 1h'
    this.#say(path, reason, `${show(value)} needs a unit: write ${meant} if seconds are meant`, unshown)
    return true
  }

  #allowed(allowed: readonly unknown[], value: unknown, path: Path): void {
    if (allowed.includes(value)) return
    const names = allowed.map(String)
    const words = names.length === 1 ? names[0] : `one of ${names.join(', ')}`
    const hint = typeof value === 'string' ? `.${didYouMean(value, names)}` : ''
    const use = names.length === 1 ? `the only value is ${show(allowed[0])}` : `use ${words}${hint}`
    this.#say(path, 'notAllowed', `${show(value)} is not allowed here; ${use}`, `must be ${words}${hint}`)
  }

  #alternatives(shape: Shape, alternatives: readonly Shape[], value: unknown, path: Path): void {
    const attempts = alternatives.map((alternative) => {
      const walk = new Walk(this.#options)
      walk.visit(alternative, value, path)
      return { alternative, mistakes: walk.mistakes }
    })
    if (attempts.some(({ mistakes }) => mistakes.length === 0)) return
    const fitting = alternatives.filter((one) => isOfType(typeOf(one), value))
    const shown = alternatives.some(isSecret) ? whatIsWritten : show(value)
    const words = `${shown} is not allowed here; expected: ${expectation(shape)}`
    if (fitting.length === 0) {
      const unshown = `must be ${typesInWords(alternatives)}, not ${kindInWords(value)}`
      return this.#say(path, 'wrongType', words, unshown)
    }
    if (fitting.length > 1 && kindOf(value) !== 'object')
      return this.#say(path, 'notAllowed', words, `must be ${expectation(shape)}`)
    const meant = meantAlternative(fitting, value)
    if ('shape' in meant) {
      const { mistakes } = attempts.find(({ alternative }) => alternative === meant.shape)!
      this.mistakes.push(...mistakes)
    } else this.visit(meant.instead, value, path)
  }

  #object(shape: Shape, value: Record<string, unknown>, path: Path): void {
    const { properties = {}, required = [], maxProperties = Number.POSITIVE_INFINITY } = shape
    const keys = Object.keys(value)
    const tooMany = (noun: string) => `has ${keys.length} ${noun}; at most ${maxProperties} are allowed`
    if (keys.length > maxProperties) this.#say(path, 'tooMany', tooMany('keys'), tooMany('members'))
    for (const key of keys) {
      if (this.#isEnough) return
      if (Object.hasOwn(properties, key)) this.visit(properties[key]!, value[key], [...path, key])
      else this.#otherKey(shape, key, value[key], [...path, key])
    }
    for (const key of required) {
      if (Object.hasOwn(value, key)) continue
      const words = missing(properties[key])
      this.#say(path, 'required', `"${key}" ${words}`, words, { lacks: key })
    }
  }

  #otherKey(shape: Shape, key: string, value: unknown, path: Path): void {
    const patterns = Object.entries(shape.patternProperties ?? {})
    const matching = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(key))?.[1]
    if (matching !== undefined) return this.visit(matching, value, path)
    const { properties = {}, additionalProperties } = shape
    if (typeof additionalProperties === 'object') return this.visit(additionalProperties, value, path)
    if (additionalProperties !== false && patterns.length === 0) return
    const keys = Object.keys(properties)
    const known = `${keys.join(', ')}.${placeOf(shape, key, value) ?? didYouMean(key, keys)}`
    const names = patterns.map(([pattern]) => pattern).join(' or ')
    if (keys.length > 0)
      this.#say(
        path,
        'unknownField',
        `the key ${show(key)} is unknown; allowed: ${known}`,
        `is unknown; allowed: ${known}`,
        { atKey: true },
      )
    else
      this.#say(
        path,
        'malformed',
        `the key ${show(key)} is not allowed: it must match ${names}`,
        `is not allowed as a name here; names match ${names}`,
        { atKey: true },
      )
  }

  #array(shape: Shape, value: readonly unknown[], path: Path): void {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape
    if (value.length < minItems)
      this.#say(path, 'tooFew', `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`)
    if (value.length > maxItems)
      this.#say(path, 'tooMany', `has ${value.length} entries; at most ${maxItems} are allowed`)
    const { mostMistakes = Number.POSITIVE_INFINITY } = this.#options
    for (const [index, item] of value.entries()) {
      if (this.#isEnough) return
      const left = { mostMistakes: mostMistakes - this.mistakes.length }
      this.mistakes.push(...mistakesOf((shape.items ?? {}) as TSchema, item, [...path, index], left))
    }
  }

  #string(shape: Shape, value: string, path: Path): void {
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = shape
    const length = [...value].length
    if (length < minLength)
      this.#say(
        path,
        'tooShort',
        minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`,
      )
    else if (length > maxLength)
      this.#say(path, 'tooLong', `has ${length} characters; at most ${maxLength} are allowed`)
    else if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
      if (this.#needsUnit(shape, value, path, 'malformed')) return
      const form = formOf(shape)
      const expected = `expected: ${form ?? expectation(shape)}`
      const shown = isSecret(shape) ? whatIsWritten : show(value)
      const unshown = form === null ? `does not have the right form; ${expected}` : `must be ${form}`
      this.#say(path, 'malformed', `${shown} is not allowed here; ${expected}`, unshown)
    }
  }

  #number(shape: Shape, value: number, path: Path): void {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = shape
    const words = `must be ${expectation(shape)}`
    const wrong = (reason: v2.FieldReason) => this.#say(path, reason, `${words}, not ${show(value)}`, words)
    if (value < minimum) wrong('tooSmall')
    else if (value > maximum) wrong('tooLarge')
    else if (shape.type === 'integer' && !Number.isInteger(value)) wrong('notWhole')
  }

  #say(
    path: Path,
    reason: v2.FieldReason,
    message: string,
    unshown = message,
    at: Pick<Mistake, 'atKey' | 'lacks'> = {},
  ): void {
    this.mistakes.push({ path, reason, message: sentence(message), unshown, ...at })
  }
}

/** Where a key belongs that is known one level deeper, or that groups what is known here; null for any other. */
function placeOf({ properties = {} }: Shape, key: string, value: unknown): string | null {
  const [group] =
    Object.entries(properties).find(([, inner]) => Object.hasOwn(inner.properties ?? {}, key)) ?? []
  if (group !== undefined) return ` Write it inside ${group}, as ${group}.${key}.`
  const inside = kindOf(value) === 'object' ? Object.keys(value as object) : []
  const isOfHere = inside.length > 0 && inside.every((name) => Object.hasOwn(properties, name))
  return isOfHere ? ` Write ${inside.join(' and ')} itself, without ${key} around.` : null
}

/** A message about a file shows the value and what is expected. */
function fileWordsOfType(shape: Shape, value: unknown): string {
  const shown = isSecret(shape) ? whatIsWritten : show(value)
  if (shape.enum) return `${shown} is not allowed here; use ${expectation(shape)}`
  if ('const' in shape) return `${shown} is not allowed here; the only value is ${show(shape.const)}`
  if (shape.type === 'string') return `must be text, not ${shown}; expected: ${expectation(shape)}`
  if (shape.type === 'integer' || shape.type === 'number') {
    const isQuoted = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
    return `must be ${expectation(shape)}, not ${shown}${isQuoted ? `; write ${value} without quotes` : ''}`
  }
  if (shape.type !== 'object') return `must be ${typesInWords([shape])}, not ${shown}`
  const keys = Object.keys(shape.properties ?? {})
  return `must be a mapping${keys.length > 0 ? ` with the keys ${keys.join(', ')}` : ''}, not ${shown}`
}
