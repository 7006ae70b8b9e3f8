// client/answer-shape.ts: whether a body has the shape that an operation answers with, as far as this program
// needs it: required members and their types. Unknown words and members of a later version are accepted. A
// nullable member may be missing, since an earlier version does not have it.

interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

export function hasShape(schema: object, value: unknown): boolean {
  const shape: Shape = schema
  if (shape.anyOf !== undefined) return shape.anyOf.some((one) => hasShape(one, value))
  if (shape.const !== undefined) return value === shape.const
  if (shape.type !== undefined && !isOfType(shape.type, value)) return false
  if (Array.isArray(value))
    return shape.items === undefined || value.every((one) => hasShape(shape.items!, one))
  return typeof value !== 'object' || value === null || hasMembers(shape, value)
}

function hasMembers(
  { properties = {}, required = [], patternProperties = {} }: Shape,
  value: object,
): boolean {
  const known = Object.entries(properties).every(([name, member]) =>
    Object.hasOwn(value, name)
      ? hasShape(member, value[name as keyof typeof value])
      : !required.includes(name) || hasShape(member, null),
  )
  const [ofOthers] = Object.values(patternProperties)
  return known && (ofOthers === undefined || Object.values(value).every((one) => hasShape(ofOthers, one)))
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === (type === 'integer' ? 'number' : type)
}
