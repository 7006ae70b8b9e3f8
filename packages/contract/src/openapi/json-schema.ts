// openapi/json-schema.ts: schemas as the OpenAPI document shows them: plain JSON, and a reference wherever a schema
// that has a name is used. Schemas are compared by their content, because marking one as optional copies it; a
// description beside a reference says what the value means there.

export type Json = { readonly [key: string]: unknown }

/** Keywords whose value is data, not a schema. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required'])
/** Keywords whose value maps names of the user's own to schemas. */
const namesToSchemas = new Set(['properties', 'patternProperties'])
/** How records are written, whatever their keys are. */
const anyKey = '^.*$'
const largestInt32 = 2 ** 31 - 1

export class NamedSchemas {
  readonly #schemas: ReadonlyMap<string, object>
  readonly #names = new Map<string, string>()
  readonly #used = new Set<string>()

  /** Two names for one content are a mistake: it would be unclear which of them is meant. */
  constructor(schemas: ReadonlyMap<string, object>) {
    this.#schemas = schemas
    for (const [name, schema] of schemas) {
      const content = contentOf(schema)
      const other = this.#names.get(content)
      if (other !== undefined) throw new Error(`${name} and ${other} are the same schema`)
      this.#names.set(content, name)
    }
  }

  /** Every schema that was referred to, also by another one. */
  written(): Map<string, Json> {
    const written = new Map<string, Json>()
    // Writing one refers to others, which join the set while it is walked.
    for (const name of this.#used) written.set(name, this.expand(this.#schemas.get(name)!))
    return written
  }

  /** The schema, or a reference to it when it has a name. */
  refer(schema: object): Json {
    const name = this.#names.get(contentOf(schema))
    if (name === undefined) return this.expand(schema)
    this.#used.add(name)
    const { description } = schema as Json
    const $ref = `#/components/schemas/${name}`
    const { description: itsOwn } = this.#schemas.get(name) as Json
    return description === undefined || description === itsOwn ? { $ref } : { $ref, description }
  }

  /** The schema itself, with references inside. */
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

  /** As a map with values of a type, which generators know; many do not know keys by their pattern. */
  #record(patterns: Readonly<Record<string, object>>): [keyword: string, value: unknown][] {
    const [[pattern, values]] = Object.entries(patterns) as [[string, object]]
    const names: [string, unknown][] = pattern === anyKey ? [] : [['propertyNames', { pattern }]]
    return [...names, ['additionalProperties', this.refer(values)]]
  }

  #referAll(schemas: Readonly<Record<string, object>>): Json {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.refer(schema)]))
  }
}

/** Keys of one pattern and no others. */
function isRecord(schema: Json | object, keyword: string): boolean {
  if (keyword !== 'patternProperties') return false
  const { patternProperties, additionalProperties } = schema as Json
  const [pattern, ...others] = Object.keys(patternProperties ?? {})
  return (
    others.length === 0 && pattern !== undefined && (pattern === anyKey || additionalProperties === false)
  )
}

/** How wide a number is: without it generators choose, and some choose 32 bits for everything. */
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
