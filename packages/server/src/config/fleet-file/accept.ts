// config/fleet-file/accept.ts: decides only whether a value fits a schema, fast enough for a million
// monitors. A schema is compiled once to a tree of closures; a valid value then costs a few calls and no
// allocation. The result always agrees with shape/explain.ts, which explains what is refused here.
import type { TSchema } from 'typebox'
import type { Shape } from '../shape/shape.ts'
import { referenceIn, takesCredential } from './credential-places.ts'

type Accept = (value: unknown) => boolean

export function compileAccept(schema: TSchema): Accept {
  return compile(schema as Shape, false)
}

/** The same for a driver's options, in which every text field may be a reference to a credential instead. */
export function compileAcceptOptions(schema: TSchema): Accept {
  return compile(schema as Shape, true)
}

function compile(shape: Shape, references: boolean): Accept {
  const accept = compileStructure(shape, references)
  const refinements = shape['~refine']
  if (refinements === undefined) return accept
  const isRight = (value: unknown) => refinements.every(({ check }) => check(value))
  if (!references || !takesCredential(shape)) return (value) => accept(value) && isRight(value)
  return (value) => accept(value) && (referenceIn(value) !== null || isRight(value))
}

function compileStructure(shape: Shape, references: boolean): Accept {
  if (shape.anyOf) {
    const alternatives = shape.anyOf.map((alternative) => compile(alternative, references))
    return (value) => alternatives.some((accept) => accept(value))
  }
  if (shape.enum) {
    const allowed = new Set(shape.enum)
    if (!references || !takesCredential(shape)) return (value) => allowed.has(value)
    return (value) => allowed.has(value) || referenceIn(value) !== null
  }
  if ('const' in shape) return (value) => value === shape.const
  switch (shape.type) {
    case undefined:
      return () => true
    case 'object':
      return compileObject(shape, references)
    case 'array':
      return compileArray(shape)
    case 'string':
      return compileString(shape, references)
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'null':
      return (value) => value === null
    default:
      return compileNumber(shape)
  }
}

function compileObject(shape: Shape, references: boolean): Accept {
  const known = new Map(
    Object.entries(shape.properties ?? {}).map(([key, inner]) => [key, compile(inner, references)]),
  )
  const required = shape.required ?? []
  const { maxProperties = Number.POSITIVE_INFINITY } = shape
  const other = compileOtherKeys(shape, references)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    let properties = 0
    for (const key in value) {
      if (++properties > maxProperties) return false
      const accept = known.get(key)
      const inner = (value as Record<string, unknown>)[key]
      if (accept === undefined ? !other(key, inner) : !accept(inner)) return false
    }
    for (let index = 0; index < required.length; index++) {
      if (!Object.hasOwn(value, required[index]!)) return false
    }
    return true
  }
}

function compileOtherKeys(shape: Shape, references: boolean): (key: string, value: unknown) => boolean {
  const patterns = Object.entries(shape.patternProperties ?? {}).map(
    ([pattern, inner]) => [new RegExp(pattern, 'u'), compile(inner, references)] as const,
  )
  const { additionalProperties } = shape
  const rest = typeof additionalProperties === 'object' ? compile(additionalProperties, references) : null
  const open = additionalProperties !== false && patterns.length === 0
  return (key, value) => {
    for (const [pattern, accept] of patterns) if (pattern.test(key)) return accept(value)
    return rest === null ? open : rest(value)
  }
}

function compileArray(shape: Shape): Accept {
  // Entries of a list have no name, so v2 could not refer to them: no credentials in lists.
  const item = shape.items === undefined ? () => true : compile(shape.items, false)
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape
  return (value) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return false
    for (let index = 0; index < value.length; index++) if (!item(value[index])) return false
    return true
  }
}

function compileString(shape: Shape, references: boolean): Accept {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = shape
  const pattern = shape.pattern === undefined ? null : new RegExp(shape.pattern, 'u')
  return (value) => {
    if (typeof value !== 'string') return references && referenceIn(value) !== null
    // A code point has one or two UTF-16 units, so the length in units is nearly always enough to decide.
    if (value.length < minLength || (value.length > maxLength && [...value].length > maxLength)) return false
    if (minLength > 1 && value.length < minLength * 2 && [...value].length < minLength) return false
    return pattern === null || pattern.test(value)
  }
}

function compileNumber(shape: Shape): Accept {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = shape
  const whole = shape.type === 'integer'
  return (value) =>
    typeof value === 'number' &&
    Number.isFinite(value) &&
    value >= minimum &&
    value <= maximum &&
    (!whole || Number.isInteger(value))
}
