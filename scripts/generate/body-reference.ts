// scripts/generate/body-reference.ts: the bodies of an API as tables, field by field. A named body gets a
// separate section, and every use of it is a link.
import { type Json, NamedSchemas } from '@pulseward/contract/openapi'
import { code, codes, table } from './markdown.ts'
import { type Shape as PlainShape, typeInWords as plainTypeInWords } from './schema-reference.ts'

interface Shape extends PlainShape {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly additionalProperties?: Shape
  readonly patternProperties?: Readonly<Record<string, Shape>>
}

/** A section for each named schema. */
export function bodySections(schemas: Readonly<Record<string, object>>): string {
  const names = new NamedSchemas(new Map(Object.entries(schemas)))
  return Object.entries(schemas)
    .map(([name, schema]) => section(name, names.expand(schema)))
    .join('\n\n')
}

export function linkTo(name: string): string {
  return `[${name}](#${name.toLowerCase()})`
}

function section(name: string, schema: Json): string {
  const shape = schema as Shape
  const rows = fieldRows(shape)
  const fields =
    rows.length === 0 ? `Type: ${typeInWords(shape)}.` : table(['Field', 'Type', 'Meaning'], rows)
  return `### ${name}\n\n${shape.description ?? ''}\n\n${fields}`
}

function fieldRows(shape: Shape, prefix = ''): string[][] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => {
    const path = `${prefix}${name}`
    const isOptional = !(shape.required ?? []).includes(name)
    const meaning = `${inner.description ?? ''}${isOptional ? ' May be absent.' : ''}`
    const members = [inner, ...(inner.anyOf ?? [])].filter(isDescribedMapping)
    return [
      [code(path), typeInWords(inner), meaning],
      ...members.flatMap((member) => fieldRows(member, `${path}.`)),
    ]
  })
}

/** The members of other mappings are all alike, and their type describes them. */
function isDescribedMapping({ properties = {} }: Shape): boolean {
  return Object.values(properties).some(({ description }) => description !== undefined)
}

function typeInWords(shape: Shape): string {
  if (shape.$ref !== undefined) return linkTo(shape.$ref.split('/').at(-1)!)
  if (shape.anyOf) return [...new Set(shape.anyOf.map(typeInWords))].join(', or ')
  if (shape.type === 'array') return `list of ${typeInWords(shape.items ?? {})}`
  if (shape.type === 'null') return code('null')
  if (shape.type === 'object') return mappingInWords(shape)
  return plainTypeInWords(shape)
}

function mappingInWords(shape: Shape): string {
  const { properties = {}, additionalProperties, patternProperties = {} } = shape
  const values = Object.values(patternProperties)[0] ?? additionalProperties
  if (values) return `mapping of names to ${typeInWords(values)}`
  if (isDescribedMapping(shape)) return 'mapping'
  const [one] = Object.values(properties)
  return `mapping of ${codes(Object.keys(properties))} to ${typeInWords(one ?? {})}`
}
