// client/schema-fields.ts: walks the schemas of the contract along a path such as monitor.spec.check and
// describes what is there. Offline: it knows the contract that this version was built with.
import { v2 } from '@pulseward/contract'
import { nearestName, UsageError } from '@pulseward/server'
import { optionsAt } from './driver-options.ts'
import { findKind } from './kinds.ts'
import type { SchemaNode } from './schema-node.ts'

/** The schema at a path; a list is replaced by its elements. */
export function schemaAt(path: string): SchemaNode {
  const [name = '', ...steps] = path.split('.')
  let node = v2.wireTypes[findKind(name).kind as v2.WireTypeName] as SchemaNode
  for (const [index, step] of steps.entries()) {
    const properties = fieldsOf(node)
    if (!Object.hasOwn(properties, step))
      throw new UsageError(noField(path, [name, ...steps.slice(0, index)], step, properties))
    const isOptions = node.title === 'DriverConfig' && step === 'config'
    node = isOptions ? optionsAt([name, ...steps.slice(0, index)]) : properties[step]!
  }
  return node
}

/** The fields of an object, of a list's elements, or of every value of a map. */
export function fieldsOf(node: SchemaNode): Readonly<Record<string, SchemaNode>> {
  if (node.secret === true) return {}
  if (node.properties !== undefined) return node.properties
  // Of alternatives, the fields of all.
  if (node.anyOf !== undefined) return Object.assign({}, ...node.anyOf.map(fieldsOf))
  return node.items === undefined ? {} : fieldsOf(node.items)
}

/** The fields that must be given. Of alternatives, none is needed in all of them. */
export function requiredIn(node: SchemaNode): ReadonlySet<string> {
  return new Set(node.required ?? node.items?.required ?? [])
}

function noField(path: string, parents: readonly string[], step: string, fields: object): string {
  const known = Object.keys(fields)
  if (known.length === 0) return `${parents.join('.')} has no fields, so there is no ${path}.`
  const nearest = nearestName(step, known)
  return `${parents.join('.')} has no field "${step}".${nearest === null ? ` It has ${known.join(', ')}.` : ` Did you mean ${nearest}?`}`
}

/** Such as `text`, `list of text`, `one of red, green`. */
export function typeWords(node: SchemaNode): string {
  if (node.secret === true && node.type !== 'string') return 'credential'
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (node.enum !== undefined) return `one of ${node.enum.join(', ')}`
  if (node.items !== undefined) return `list of ${typeWords(node.items)}`
  if (node.patternProperties !== undefined)
    return `map of ${Object.values(node.patternProperties).map(typeWords).join(' or ')}`
  if (node.anyOf !== undefined) return [...new Set(node.anyOf.map(typeWords))].join(' or ')
  return nameIn(node) ?? plainTypes[node.type ?? ''] ?? 'anything'
}

/** What a field is for. Drivers say it in the title, and how it is written in the description. */
export function meaningOf(node: SchemaNode): string {
  const purpose = nameIn(node) === undefined ? node.title : undefined
  return [purpose, node.description].filter((words) => words !== undefined).join(' ')
}

/** The name of a type of the contract. */
function nameIn({ title }: SchemaNode): string | undefined {
  return title !== undefined && /^\w+$/.test(title) ? title : undefined
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
}
