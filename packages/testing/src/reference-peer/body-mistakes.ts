// reference-peer/body-mistakes.ts: what is wrong with a body according to the contract alone. It uses the
// schema library and not the service, so that the peer and the service can be compared. Mistakes of shape
// (400) and of values (422) are separate.
import type { v2 } from '@pulseward/contract'
import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { Value } from 'typebox/value'

export interface BodyMistake {
  readonly field: string
  readonly reason: v2.FieldReason
  readonly message: string
  /** A missing or unknown member, or another JSON type: the body cannot be understood. */
  readonly isShape: boolean
}

interface SchemaError {
  readonly keyword: string
  readonly schemaPath: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

/** Null if the text is not JSON, or has a duplicate key. */
export function parsedOnce(text: string): { readonly value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    const keys = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined)
    return keys.length === membersIn(value) ? { value } : null
  } catch {
    return null
  }
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce<number>((sum, inner) => sum + membersIn(inner), own)
}

export function mistakesOf(schema: TSchema, value: unknown): BodyMistake[] {
  const errors = ofNearestAlternatives(errorsOf(schema, value))
  const malformed = new Set(
    errors.filter(({ keyword }) => keyword === 'pattern').map(({ instancePath }) => instancePath),
  )
  return errors
    .filter(({ keyword, instancePath }) => keyword !== 'format' || !malformed.has(instancePath))
    .flatMap((error) => mistakesIn(error, schema, value))
}

/** All errors: by default the library stops after a few. */
function errorsOf(schema: TSchema, value: unknown): SchemaError[] {
  const { maxErrors } = Settings.Get()
  Settings.Set({ maxErrors: Number.MAX_SAFE_INTEGER })
  try {
    return Value.Errors(schema, value) as unknown as SchemaError[]
  } finally {
    Settings.Set({ maxErrors })
  }
}

/**
 * For a union, only the errors of the intended alternative: the one of the same kind, or else the one with
 * the fewest errors.
 */
function ofNearestAlternatives(errors: readonly SchemaError[]): SchemaError[] {
  const byAlternative = Map.groupBy(
    errors,
    ({ schemaPath }) => /^.*?\/anyOf\/\d+/.exec(schemaPath)?.[0] ?? '',
  )
  const outside = byAlternative.get('') ?? []
  byAlternative.delete('')
  const byUnion = Map.groupBy(byAlternative, ([path]) => path.replace(/\d+$/, ''))
  const nearest = [...byUnion.values()].map(
    (alternatives) =>
      alternatives.map(([, of]) => of).sort((left, right) => distance(left) - distance(right))[0]!,
  )
  return [...outside.filter(({ keyword }) => keyword !== 'anyOf'), ...nearest.flat()]
}

function distance(errors: readonly SchemaError[]): number {
  return errors.length + (errors.some(({ keyword }) => keyword === 'const') ? 1_000_000 : 0)
}

const valueReasons: Readonly<Record<string, v2.FieldReason>> = {
  enum: 'notAllowed',
  const: 'notAllowed',
  pattern: 'malformed',
  // It matches the pattern of the format, but is not a valid value, such as 30 February.
  format: 'rule',
  minimum: 'tooSmall',
  maximum: 'tooLarge',
  minLength: 'tooShort',
  maxLength: 'tooLong',
  minItems: 'tooFew',
  maxItems: 'tooMany',
  maxProperties: 'tooMany',
}

function mistakesIn(
  { keyword, schemaPath, instancePath, params, message }: SchemaError,
  schema: TSchema,
  body: unknown,
): BodyMistake[] {
  const at = (field: string, reason: v2.FieldReason, isShape: boolean) => ({
    field,
    reason,
    message,
    isShape,
  })
  switch (keyword) {
    case 'boolean':
      // Reported again, and better, for the object that contains the key.
      return []
    case 'required':
      return (params['requiredProperties'] as string[]).map((key) =>
        at(below(instancePath, key), 'required', true),
      )
    case 'additionalProperties': {
      // The keys of a map are values; those of an object are not.
      const isMap = 'patternProperties' in (Value.Pointer.Get(schema, schemaPath.slice(1)) as object)
      return (params['additionalProperties'] as string[]).map((key) =>
        at(below(instancePath, key), isMap ? 'malformed' : 'unknownField', !isMap),
      )
    }
    case 'type':
      // In JSON a fraction has the same type as an integer.
      if (params['type'] === 'integer' && typeof Value.Pointer.Get(body, instancePath) === 'number')
        return [at(instancePath, 'notWhole', false)]
      return [at(instancePath, 'wrongType', true)]
    default:
      return [at(instancePath, valueReasons[keyword] ?? 'rule', false)]
  }
}

/** The library escapes the path of an object, but not the names of its missing or unknown members. */
function below(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
