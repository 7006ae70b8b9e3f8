// client/schema-fields.ts: walks the schemas of the contract along a path such as monitor.spec.check and
// describes what is there. Offline: it knows the contract that this version was built with.
import { v2 } from '@pulseward/contract'
import { nearestName, UsageError } from '@pulseward/server'
import { findKind } from './kinds.ts'

export interface SchemaNode {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly items?: SchemaNode
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly SchemaNode[]
  readonly writeOnly?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly maxLength?: number
}

/** The schema at a path; a list is replaced by its elements. */
export function schemaAt(path: string): SchemaNode {
  const [name = '', ...steps] = path.split('.')
  let node = v2.wireTypes[findKind(name).kind as v2.WireTypeName] as SchemaNode
  for (const [index, step] of steps.entries()) {
    const properties = fieldsOf(node)
    if (!Object.hasOwn(properties, step))
      throw new UsageError(noField(path, [name, ...steps.slice(0, index)], step, properties))
    node = properties[step]!
  }
  return node
}

/** The fields of an object, of a list's elements, or of every value of a map. */
export function fieldsOf(node: SchemaNode): Readonly<Record<string, SchemaNode>> {
  if (node.properties !== undefined) return node.properties
  return node.items === undefined ? {} : fieldsOf(node.items)
}

function noField(path: string, parents: readonly string[], step: string, fields: object): string {
  const known = Object.keys(fields)
  if (known.length === 0) return `${parents.join('.')} has no fields, so there is no ${path}.`
  const nearest = nearestName(step, known)
  return `${parents.join('.')} has no field "${step}".${nearest === null ? ` It has ${known.join(', ')}.` : ` Did you mean ${nearest}?`}`
}

/** Such as `text`, `list of text`, `one of red, green`. */
export function typeWords(node: SchemaNode): string {
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (node.enum !== undefined) return `one of ${node.enum.join(', ')}`
  if (node.items !== undefined) return `list of ${typeWords(node.items)}`
  if (node.patternProperties !== undefined)
    return `map of ${Object.values(node.patternProperties).map(typeWords).join(' or ')}`
  if (node.anyOf !== undefined) return node.anyOf.map(typeWords).join(' or ')
  return node.title ?? plainTypes[node.type ?? ''] ?? 'anything'
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
}
