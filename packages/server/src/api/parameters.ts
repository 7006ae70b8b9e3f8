// api/parameters.ts: reads the parameters of a request as the contract says. Every mistake is reported with its
// parameter. Unknown parameters are ignored; a repeated one is refused, because it is unclear which was meant.
import type { Operation } from '@pulseward/contract'
import { v1Limits } from '@pulseward/contract'
import type { TSchema } from 'typebox'
import { ApiError, type FieldError } from '../requests/problem.ts'

/** The subset of JSON Schema that parameters use. */
interface ParameterShape {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}

/** Paths contain only monitor numbers. */
export function readPath(
  { pathParameters }: Operation,
  given: Readonly<Record<string, string>>,
): Record<string, unknown> {
  if (pathParameters === undefined) return {}
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(pathParameters.properties)) {
    const read = readWhole(given[name] ?? '', shapeOf(schema))
    if ('mistake' in read)
      throw new ApiError(
        'invalid_monitor_id',
        'The number of a monitor is a whole number below 4,294,967,296.',
        [{ field: name, message: read.mistake }],
      )
    values[name] = read.value
  }
  return values
}

export function readQuery({ queryParameters }: Operation, search: string): Record<string, unknown> {
  if (queryParameters === undefined) return {}
  const given = new URLSearchParams(search)
  const values: Record<string, unknown> = {}
  const mistakes: FieldError[] = []
  for (const [name, schema] of Object.entries(queryParameters.properties)) {
    const texts = given.getAll(name)
    const read = readValue(texts, shapeOf(schema))
    if ('mistake' in read) mistakes.push({ field: name, message: read.mistake })
    else if (read.value !== undefined) values[name] = read.value
  }
  const [first] = mistakes
  if (first !== undefined) {
    const { field, message } = first
    throw new ApiError('invalid_parameter', `The parameter ${field} ${message}.`, mistakes)
  }
  if (typeof values['size'] === 'number') values['size'] = Math.min(values['size'], v1Limits.sizeCap)
  return values
}

function readValue(
  texts: readonly string[],
  shape: ParameterShape,
): { readonly value: unknown } | { readonly mistake: string } {
  if (texts.length > 1) return { mistake: 'may be given only once' }
  const [text] = texts
  if (text === undefined) return { value: shape.default }
  if (shape.type === 'integer') return readWhole(text, shape)
  if (shape.enum !== undefined && !shape.enum.includes(text))
    return { mistake: `must be one of ${shape.enum.join(', ')}` }
  return { value: text }
}

function readWhole(text: string, { minimum = 0, maximum }: ParameterShape) {
  // A number too large to count with is still a whole number, beyond every last page.
  const value = /^[0-9]+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : Number.NaN
  const isWithin = value >= minimum && (maximum === undefined || value <= maximum)
  if (isWithin) return { value }
  const bounds = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
  return { mistake: `must be a whole number ${bounds}` }
}

function shapeOf(schema: TSchema): ParameterShape {
  return schema as ParameterShape
}
