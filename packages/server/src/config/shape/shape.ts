// config/shape/shape.ts: the subset of JSON Schema that our own schemas use. Code that reads it refuses other
// keywords, because it would ignore them.

export type Path = readonly (string | number)[]

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
  /** A secret may have been written here by mistake, so messages do not repeat the value. */
  readonly secret?: boolean
  /** Never part of an answer: a secret, too. */
  readonly writeOnly?: boolean
  /** The value of a credential used here must be one line. */
  readonly oneLine?: boolean
  readonly pushKey?: boolean
  readonly '~refine'?: readonly { check(value: unknown): boolean; error(value: unknown): string }[]
}

const understood = new Set(
  'type title description properties required additionalProperties patternProperties maxProperties items minItems maxItems minLength maxLength pattern format minimum maximum enum const anyOf default examples writeOnly secret oneLine pushKey'.split(
    ' ',
  ),
)

/** Whether messages must not repeat the value. */
export function isSecret({ secret, writeOnly }: Shape): boolean {
  return secret === true || writeOnly === true
}

export function refuseUnknownKeywords(shape: Shape): void {
  for (const keyword of Object.keys(shape))
    if (!understood.has(keyword)) throw new Error(`the schema uses ${keyword}, which validation would ignore`)
}

/** The JSON type that a shape asks for; undefined if any type fits. */
export function typeOf(shape: Shape): string | undefined {
  if (shape.type !== undefined) return shape.type
  return 'const' in shape ? kindOf(shape.const) : undefined
}

export function isOfType(type: string | undefined, value: unknown): boolean {
  // Fractions pass as integers here: to JSON they are numbers like any other. YAML's NaN and infinity do not.
  if (type === 'integer' || type === 'number') return Number.isFinite(value)
  return type === undefined || kindOf(value) === type
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
