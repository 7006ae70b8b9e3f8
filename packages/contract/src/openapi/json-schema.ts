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

export class NamedSchemas {
  readonly #schemas: ReadonlyMap<string, object>
  readonly #names = new Map<string, string>()
  readonly #used = new Set<string>()

  /** Two names for one content are a mistake: nobody could say which of them is meant. */
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
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => {
        if (data.has(keyword)) return [keyword, value]
        if (isRecordOfAnyKey(keyword, value)) return ['additionalProperties', this.refer(value[anyKey])]
        if (namesToSchemas.has(keyword)) return [keyword, this.#referAll(value)]
        if (Array.isArray(value)) return [keyword, value.map((inner) => this.refer(inner))]
        return [keyword, typeof value === 'object' && value !== null ? this.refer(value) : value]
      }),
    )
  }

  #referAll(schemas: Readonly<Record<string, object>>): Json {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.refer(schema)]))
  }
}

function isRecordOfAnyKey(keyword: string, value: unknown): value is { [anyKey]: object } {
  return keyword === 'patternProperties' && Object.keys(value as object).join() === anyKey
}

function contentOf(schema: object): string {
  const { description: _, ...content } = schema as Json
  return JSON.stringify(content)
}
