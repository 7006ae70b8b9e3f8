// scripts/generate/client/type-writer.ts: JSON Schemas as TypeScript, so that the types of the client need neither the
// contract nor a schema library. Reads the schemas of an OpenAPI document, where named ones are references.

export interface PlainSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly PlainSchema[]
  readonly items?: PlainSchema
  readonly properties?: Readonly<Record<string, PlainSchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, PlainSchema>>
  readonly additionalProperties?: boolean | PlainSchema
}

/** The name alone, without the path of the reference and the version of the API. */
export function nameIn(reference: string): string {
  return reference.split(/[/.]/).at(-1)!
}

/** The declaration of a named schema, with its descriptions as comments. */
export function declarationOf(name: string, schema: PlainSchema): string {
  const comment = commentOf(schema.description, '')
  if (schema.properties === undefined) return `${comment}export type ${name} = ${typeOf(schema)}\n`
  return `${comment}export interface ${name} ${objectOf(schema, '')}\n`
}

export function typeOf(schema: PlainSchema, indent = ''): string {
  if (schema.$ref !== undefined) return nameIn(schema.$ref)
  if (schema.enum !== undefined) return schema.enum.map(literalOf).join(' | ')
  if ('const' in schema) return literalOf(schema.const)
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((one) => typeOf(one, indent)))].join(' | ')
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, indent))
    case 'object':
      return schema.properties === undefined ? recordOf(schema, indent) : objectOf(schema, indent)
    default:
      return 'unknown'
  }
}

function objectOf({ properties = {}, required = [] }: PlainSchema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([key, schema]) => {
    const optional = required.includes(key) ? '' : '?'
    return `${commentOf(schema.description, inner)}${inner}${keyOf(key)}${optional}: ${typeOf(schema, inner)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function recordOf({ patternProperties, additionalProperties }: PlainSchema, indent: string): string {
  const values = Object.values(patternProperties ?? {})[0] ?? additionalProperties
  return `Record<string, ${typeof values === 'object' ? typeOf(values, indent) : 'unknown'}>`
}

function arrayOf(item: string): string {
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`
}

function keyOf(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literalOf(key)
}

export function literalOf(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : JSON.stringify(value)
}

export function commentOf(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`
}
