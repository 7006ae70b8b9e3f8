// config/fleet-file/credential-places.ts: where in a driver's options the value of a credential may be used.
// Secret fields take nothing else. Every other text field may take one too, except in lists, because v2 could
// not refer to an entry without a name. A reference is written { credential: NAME }.
import type { TSchema } from 'typebox'
import type { Path, Shape } from '../shape/shape.ts'

/** A reference in options, and what the schema says about its field. */
export interface PlacedReference {
  readonly path: Path
  readonly name: string
  readonly isSecret: boolean
  /** A secret field whose value must be one line. */
  readonly oneLine?: true
  /** A secret field whose value stands in the address of a push monitor. */
  readonly pushKey?: true
}

/** The name in { credential: NAME }; null for anything else. */
export function referenceIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  const { credential } = value as { credential?: unknown }
  return typeof credential === 'string' && Object.keys(value).length === 1 ? credential : null
}

/** Whether the field takes a secret. It may take plain text too. */
export function isSecretPlace(shape: Shape): boolean {
  return shape.secret === true || (shape.anyOf?.some(isSecretPlace) ?? false)
}

function takesOneLine(shape: Shape): boolean {
  return shape.oneLine === true || (shape.anyOf?.some(takesOneLine) ?? false)
}

/** Whether the field may take the value of a credential. */
export function takesCredential(shape: Shape): boolean {
  if (shape.secret === true || shape.type === 'string') return true
  if (shape.enum !== undefined) return shape.enum.some((value) => typeof value === 'string')
  return shape.anyOf?.some(takesCredential) ?? false
}

/** The shape of a member of a mapping; null if the key is not allowed or its value has no schema. */
export function memberShape(shape: Shape, key: string): Shape | null {
  if (shape.properties !== undefined && Object.hasOwn(shape.properties, key))
    return shape.properties[key] ?? null
  for (const [pattern, inner] of Object.entries(shape.patternProperties ?? {}))
    if (new RegExp(pattern, 'u').test(key)) return inner
  for (const alternative of shape.anyOf ?? []) {
    const inner = memberShape(alternative, key)
    if (inner !== null) return inner
  }
  return typeof shape.additionalProperties === 'object' ? shape.additionalProperties : null
}

/** The shape at a path through mappings; null if there is none. */
export function shapeAt(schema: TSchema, path: readonly string[]): Shape | null {
  return path.reduce<Shape | null>(
    (shape, key) => (shape === null ? null : memberShape(shape, key)),
    schema as Shape,
  )
}

/** Replaces every reference in a field that may have one, and keeps everything else. */
export function mapReferences(
  schema: TSchema,
  value: unknown,
  replace: (reference: PlacedReference) => unknown,
): unknown {
  return replaceIn(schema as Shape, value, [], false, replace)
}

function replaceIn(
  shape: Shape,
  value: unknown,
  path: Path,
  isInList: boolean,
  replace: (reference: PlacedReference) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  const name = referenceIn(value)
  if (name !== null) {
    const isSecret = isSecretPlace(shape)
    if (isSecret || (!isInList && takesCredential(shape)))
      return replace({
        path,
        name,
        isSecret,
        ...(takesOneLine(shape) ? { oneLine: true } : {}),
        ...(shape.pushKey === true ? { pushKey: true } : {}),
      })
  }
  if (Array.isArray(value))
    return value.map((item, index) => replaceIn(shape.items ?? {}, item, [...path, index], true, replace))
  if (shape.anyOf)
    return shape.anyOf.reduce(
      (current, alternative) => replaceIn(alternative, current, path, isInList, replace),
      value as unknown,
    )
  // A driver's mapping has at most one key pattern. Keys are not matched against it here, because this runs
  // for every check.
  const patterned = Object.values(shape.patternProperties ?? {})[0]
  const entries = Object.entries(value).map(([key, inner]) => {
    const own = shape.properties !== undefined && Object.hasOwn(shape.properties, key)
    const innerShape = own ? shape.properties?.[key] : patterned
    return [
      key,
      innerShape === undefined ? inner : replaceIn(innerShape, inner, [...path, key], isInList, replace),
    ]
  })
  return Object.fromEntries(entries)
}

/** References in fields that are not secret. Their values must fit the schema. */
export function openReferences(schema: TSchema, config: unknown): PlacedReference[] {
  const found: PlacedReference[] = []
  mapReferences(schema, config, (reference) => {
    if (!reference.isSecret) found.push(reference)
  })
  return found
}

/** The schema of options for editors: every text field may be a reference, as defined under `credential`. */
export function allowingReferences(shape: Shape): object {
  const mapped = (members: Readonly<Record<string, Shape>>) =>
    Object.fromEntries(Object.entries(members).map(([key, inner]) => [key, orReference(inner)]))
  const { properties, patternProperties, anyOf } = shape
  return {
    ...shape,
    ...(properties === undefined ? {} : { properties: mapped(properties) }),
    ...(patternProperties === undefined ? {} : { patternProperties: mapped(patternProperties) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(allowingReferences) }),
  }
}

function orReference(shape: Shape): object {
  if (isSecretPlace(shape)) return shape
  const inner = allowingReferences(shape)
  return takesCredential(shape) ? { anyOf: [inner, { $ref: '#/$defs/credential' }] } : inner
}
