// v2/wire/wire-type.ts: helpers to define the types of v2. A type has a name (its title) and a description,
// and is closed: a property that it does not list is refused on input and never sent.
import { type TEnum, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { limits } from '../limits.ts'

export function wireType<Properties extends TProperties>(
  name: string,
  description: string,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { title: name, description, additionalProperties: false })
}

/** The name of a type; null for a type that is written where it is used. */
export function nameOf(schema: TSchema): string | null {
  const { title } = schema as { title?: string }
  return title ?? null
}

/** A page of a list. No totals: they would need a scan of the fleet. */
export function listOf<Item extends TSchema>(name: string, item: Item) {
  return wireType(name, `A page of ${name.replace(/List$/, '')} rows, read at one committed position.`, {
    items: Type.Array(item, { maxItems: limits.listLimit }),
    nextCursor: Type.Optional(
      Type.String({ description: 'Asks for the next page; absent on the last one.' }),
    ),
    snapshot: Type.Optional(
      Type.String({ description: 'The committed position that every page of this pagination reads.' }),
    ),
    generatedAt: Type.Optional(Timestamp),
  })
}

export function text(description: string, limits: { minLength?: number; maxLength?: number } = {}) {
  return Type.String({ description, ...limits })
}

/** Counted in bytes, as it is sent. The length in characters follows from it and is what documents can express. */
export function textOfBytes(description: string, { minLength = 0, maxBytes }: TextBytes) {
  const plain = Type.String({ description, ...(minLength > 0 ? { minLength } : {}), maxLength: maxBytes })
  return Type.Refine(
    plain,
    (value) => hasAtMostBytes(value, maxBytes),
    () => `must not have more than ${maxBytes} bytes`,
  )
}

interface TextBytes {
  readonly minLength?: number
  readonly maxBytes: number
}

function hasAtMostBytes(value: string, maxBytes: number): boolean {
  // A UTF-16 unit is at most three bytes: short texts need no encoding.
  return value.length * 3 <= maxBytes || new TextEncoder().encode(value).length <= maxBytes
}

export function flag(description: string) {
  return Type.Boolean({ description })
}

export function count(description: string) {
  return Type.Integer({ minimum: 0, description })
}

export function rate(description: string) {
  return Type.Number({ minimum: 0, description })
}

export function listing<Item extends TSchema>(
  item: Item,
  description: string,
  limits: { minItems?: number; maxItems?: number } = {},
) {
  return Type.Array(item, { description, ...limits })
}

/** Allows any key. A record would let a key with a line break through unchecked. */
export const anyObject = { type: 'object', additionalProperties: {} } as const

/** One of these words. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const Words extends readonly string[]>(
  words: Words,
  description: string,
): TEnum<[...Words]> {
  // The library's own inference widens a spread tuple to string | number.
  return Type.Enum([...words], { type: 'string', description }) as unknown as TEnum<[...Words]>
}

const timestampPattern =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$'

const Timestamp = Type.String({
  format: 'date-time',
  pattern: timestampPattern,
  maxLength: 35,
  description: 'A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z.',
})

const durationPattern = '^(0|[1-9][0-9]{0,8})(ms|s|m|h)$'
const identifierPattern = '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$'
/** Opaque, and valid between the quotes of an entity tag. */
const revisionPattern = '^[\\x21\\x23-\\x7e]{1,128}$'

/** No instant: what the clocks of a time zone show. */
const localTimePattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$'
const timeOfDayPattern = '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$'
const hoursPattern = '^([01][0-9]|2[0-3]):[0-5][0-9]-(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$'
const turnPattern = '^[1-9][0-9]{0,3}(h|d|w)$'

/** What the patterns of many fields require, in words; the description of a field says what it is for. */
export const forms: ReadonlyMap<string, string> = new Map([
  [timestampPattern, 'a moment as RFC 3339, such as 2026-03-29T01:00:00.000Z'],
  [localTimePattern, 'a local date and time without an offset, such as 2026-03-02T09:00'],
  [timeOfDayPattern, 'a time of day such as 09:00, or 24:00 for the end of the day'],
  [hoursPattern, 'hours such as 22:00-07:00'],
  [turnPattern, 'a length such as 12h, 1d or 1w'],
  [durationPattern, 'a duration such as 250ms, 30s, 5m or 1h'],
  [
    identifierPattern,
    'an id: at most 128 letters, digits and . _ : -, of which the first is a letter or a digit',
  ],
  [revisionPattern, 'a version as the service gave it, without quotes'],
])

const Duration = Type.String({
  pattern: durationPattern,
  description: 'A duration such as 250ms, 30s, 5m or 1h.',
})

export function timestamp(description: string) {
  return Type.Refine(
    Type.String({ ...Timestamp, description }),
    isDayOfItsMonth,
    () => 'must be a day that its month has',
  )
}

/** Date.parse would move the 30th of February to March. */
function isDayOfItsMonth(text: string): boolean {
  const day = text.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

/** A count from a client. One that is too large to be exact is refused. */
export function countGiven(description: string) {
  return Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })
}

export function localTime(description: string) {
  return Type.String({ pattern: localTimePattern, description })
}

export function timeOfDay(description: string) {
  return Type.String({ pattern: timeOfDayPattern, description })
}

/** From one time of day to another. */
export function hoursOfDay(description: string) {
  return Type.String({ pattern: hoursPattern, description })
}

/** Of a rotation: it also knows days and weeks, which have the length that the clocks of its zone give them. */
export function turnLength(description: string) {
  return Type.String({ pattern: turnPattern, description })
}

export function duration(description: string) {
  return Type.String({ ...Duration, description })
}

export function identifier(description: string) {
  return Type.String({ pattern: identifierPattern, description })
}

export function revision(description: string) {
  return Type.String({ pattern: revisionPattern, description })
}

/** A value, or the reason why there is none; never a made-up zero. */
export const Measurement = wireType('Measurement', 'A value, or the reason why there is none.', {
  available: flag('Whether there is a value.'),
  value: Type.Optional(Type.Number({ description: 'The value; absent when it is not available.' })),
  reason: Type.Optional(text('Why it is not available.')),
})

export const Percentiles = wireType('Percentiles', 'Percentiles of a duration, in milliseconds.', {
  available: flag('Whether there were enough samples.'),
  p50Ms: Type.Optional(rate('Half of the samples took at most this long.')),
  p95Ms: Type.Optional(rate('95 % of the samples took at most this long.')),
  p99Ms: Type.Optional(rate('99 % of the samples took at most this long.')),
})
