// platform/schema.ts: the few field types that driver configurations are made of. A schema here is JSON
// Schema: validation, editor support and docs all read the same object.
import type { Static, TEnum, TSchema, TUnsafe } from 'typebox'
import { Type } from './schema-type.ts'

export const Port = Type.Integer({ minimum: 1, maximum: 65_535, description: 'A port, 1 to 65535.' })

export const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  // One colon would begin a port; IPv6 addresses have at least two.
  pattern: '^(?:[^\\s/@?#:\\[\\]]+|[^\\s/@?#:\\[\\]]*:[^\\s/@?#:\\[\\]]*:[^\\s/@?#\\[\\]]*)$',
  description: 'A host name or an IP address alone, with the port in "port" and without brackets.',
})

export const HttpUrl = Type.String({
  minLength: 8,
  maxLength: 8192,
  pattern: '^[hH][tT][tT][pP][sS]?://[^\\s]+$',
  description: 'An http or https URL, such as https://shop.example/health.',
})

/** A duration in a fleet or settings file: a whole number with its unit. */
export const Duration = Type.String({
  pattern: '^(0|[1-9][0-9]{0,8})(ms|s|m|h)$',
  description: 'A duration such as 250ms, 30s, 5m or 1h.',
})

/** The same, but greater than zero. */
export const Period = Type.String({
  pattern: '^[1-9][0-9]{0,8}(ms|s|m|h)$',
  description: 'A duration such as 250ms, 30s, 5m or 1h, greater than zero.',
})

/**
 * A secret: written in a fleet file as { credential: NAME }, passed to a driver as the string itself. The
 * annotation lets validation, docs and redaction find every secret field without a second list.
 */
export const Secret: TUnsafe<string> = Type.Unsafe<string>({
  type: 'object',
  properties: { credential: Type.String({ description: 'The name of an entry under credentials.' }) },
  required: ['credential'],
  additionalProperties: false,
  description: 'A reference to a credential: { credential: NAME }.',
  secret: true,
})

/** Content of one line of a protocol: a line break would begin another line, and most servers end at a NUL. */
const ONE_LINE = '^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*$'
export const OneLine = Type.String({
  pattern: ONE_LINE,
  description: 'Text without line breaks and other control characters.',
})

const oneLine = new RegExp(ONE_LINE, 'u')

export function isOneLine(text: string): boolean {
  return oneLine.test(text)
}

/** A secret within one line; the annotation lets validation check the value of its credential. */
export const OneLineSecret: TUnsafe<string> = Type.Unsafe<string>({ ...Secret, oneLine: true })

/** A value that may be written openly or come from a credential. */
export const OpenOrSecret: TUnsafe<string> = Type.Unsafe<string>({
  anyOf: [Type.String(), Secret],
  description: 'A string, or { credential: NAME }.',
})

/** The same for a value within one line; even an openly written value may be a secret. */
export const OpenOrSecretLine: TUnsafe<string> = Type.Unsafe<string>({
  anyOf: [Type.Unsafe<string>({ ...OneLine, secret: true }), OneLineSecret],
  description: 'A string without line breaks, or { credential: NAME }.',
})

export function oneOf<const Values extends readonly string[]>(
  values: Values,
  description: string,
  annotations: { default?: Values[number] } = {},
): TEnum<[...Values]> {
  // The library's inference widens a spread tuple to string | number.
  return Type.Enum([...values], { description, ...annotations }) as unknown as TEnum<[...Values]>
}

/** A closed object: unknown keys are errors. */
export function closed<Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: { description?: string } = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export type Infer<Schema extends TSchema> = Static<Schema>
