// checks/contract/schema-findings.ts: whether a configuration schema is closed on every level and describes
// each field. Validation, docs and editor support are made from it alone.

interface Shape {
  readonly type?: string
  readonly description?: string
  readonly secret?: boolean
  readonly additionalProperties?: boolean | Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

export function schemaFindings(schema: object): string[] {
  return [...walk(schema as Shape, 'config')]
}

/** Whether any field may be a credential. */
export function holdsSecret(schema: object): boolean {
  const shape = schema as Shape
  return shape.secret === true || [...innerShapes(shape, '')].some(([inner]) => holdsSecret(inner))
}

function* walk(shape: Shape, path: string): Generator<string> {
  if (shape.type === 'object' && shape.additionalProperties !== false)
    yield `takes unknown fields in ${path}: the schema is not closed`
  for (const [name, field] of Object.entries(shape.properties ?? {})) {
    if (!field.description?.trim()) yield `says nothing about ${path}.${name}: the schema has no description`
  }
  for (const [inner, innerPath] of innerShapes(shape, path)) yield* walk(inner, innerPath)
}

function* innerShapes(shape: Shape, path: string): Generator<[Shape, string]> {
  for (const [name, field] of Object.entries(shape.properties ?? {})) yield [field, `${path}.${name}`]
  for (const field of Object.values(shape.patternProperties ?? {})) yield [field, `${path}.*`]
  for (const alternative of shape.anyOf ?? []) yield [alternative, path]
  if (shape.items !== undefined) yield [shape.items, `${path}[]`]
}
