// openapi/json-schema.ts: writes schemas for the OpenAPI document: plain JSON, with a reference wherever a
// named schema is used. Schemas are compared by content, because marking one as optional copies it. A
// description beside a reference says what the value means there.

export type Json = { readonly [key: string]: unknown }

/** Keywords whose value is data, not a schema. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required'])
/** Keywords whose value maps user-defined names to schemas. */
const namesToSchemas = new Set(['properties', 'patternProperties'])
/** The pattern of records that allow any key. */
const anyKey = '^.*$'
const largestInt32 = 2 ** 31 - 1

export class NamedSchemas {
  readonly #schemas: ReadonlyMap<string, object>
  readonly #names = new Map<string, string>()
  readonly #used = new Set<string>()

  /** Two names for the same content are a mistake: it would be unclear which one is meant. */
  constructor(schemas: ReadonlyMap<string, object>) {
    this.#schemas = schemas
    for (const [name, schema] of schemas) {
      const content = contentOf(schema)
      const other = this.#names.get(content)
      if (other !== undefined) throw new Error(`${name} and ${other} are the same schema`)
      this.#names.set(content, name)
    }
  }

  /** Every schema that was referred to, directly or by another one. */
  written(): Map<string, Json> {
    const written = new Map<string, Json>()
    // Writing a schema may refer to others, which join the set while it is walked.
    for (const name of this.#used) written.set(name, this.expand(this.#schemas.get(name)!))
    return written
  }

  /** The schema, or a reference to it if it has a name. */
  refer(schema: object): Json {
    const name = this.#names.get(contentOf(schema))
    if (name === undefined) return this.expand(schema)
    this.#used.add(name)
    const { description } = schema as Json
    const $ref = `#/components/schemas/${name}`
    const { description: itsOwn } = this.#schemas.get(name) as Json
    return description === undefined || description === itsOwn ? { $ref } : { $ref, description }
  }

  /** The schema itself, with references inside it. */
  expand(schema: object): Json {
    const written = Object.entries(schema).flatMap(([keyword, value]) => {
      if (data.has(keyword)) return [[keyword, value]]
      if (isRecord(schema, keyword)) return this.#record(value)
      if (keyword === 'additionalProperties' && isRecord(schema, 'patternProperties')) return []
      if (namesToSchemas.has(keyword)) return [[keyword, this.#referAll(value)]]
      if (Array.isArray(value)) return [[keyword, value.map((inner) => this.refer(inner))]]
      return [[keyword, typeof value === 'object' && value !== null ? this.refer(value) : value]]
    })
    return { ...Object.fromEntries(written), ...formatOf(schema) }
  }

  /** Written as a map with typed values, which generators know; many do not know patterns of keys. */
  #record(patterns: Readonly<Record<string, object>>): [keyword: string, value: unknown][] {
    const [[pattern, values]] = Object.entries(patterns) as [[string, object]]
    const names: [string, unknown][] = pattern === anyKey ? [] : [['propertyNames', { pattern }]]
    return [...names, ['additionalProperties', this.refer(values)]]
  }

  #referAll(schemas: Readonly<Record<string, object>>): Json {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.refer(schema)]))
  }
}

/** Whether all keys share one pattern, and no others are allowed. */
function isRecord(schema: Json | object, keyword: string): boolean {
  if (keyword !== 'patternProperties') return false
  const { patternProperties, additionalProperties } = schema as Json
  const [pattern, ...others] = Object.keys(patternProperties ?? {})
  return (
    others.length === 0 && pattern !== undefined && (pattern === anyKey || additionalProperties === false)
  )
}

/** The width of a number. Without it generators choose, and some choose 32 bits for everything. */
function formatOf(schema: object): { format?: string } {
  const { type, format, maximum, const: only } = schema as Json
  if (format !== undefined) return {}
  if (type === 'number') return { format: 'double' }
  if (type !== 'integer') return {}
  return { format: Number(only ?? maximum ?? Number.POSITIVE_INFINITY) <= largestInt32 ? 'int32' : 'int64' }
}

function contentOf(schema: object): string {
  const { description: _, ...content } = schema as Json
  return JSON.stringify(content)
}
