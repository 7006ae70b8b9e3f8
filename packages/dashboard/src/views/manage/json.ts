// views/manage/json.ts: a document as a value: reading and changing it at a path, and the differences between
// two documents. Names are untrusted: a member called __proto__ is a member like any other.
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}
export type Path = readonly (string | number)[]

export interface Difference {
  /** A JSON pointer. */
  readonly field: string
  /** Undefined if it was not there. */
  readonly before: Json | undefined
  readonly after: Json | undefined
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let here = value
  for (const step of path) {
    if (Array.isArray(here) && typeof step === 'number') here = here[step]
    else if (isObject(here) && Object.hasOwn(here, step)) here = here[step]
    else return undefined
  }
  return here
}

/** Undefined removes the member, and the objects around it that become empty, down to `kept` steps. */
export function withValue(document: Json, path: Path, value: Json | undefined, kept = path.length): Json {
  const [step, ...rest] = path
  if (step === undefined) return value ?? {}
  const inner =
    rest.length === 0
      ? value
      : withValue(valueAt(document, [step]) ?? emptyFor(rest[0]), rest, value, kept - 1)
  const isLeft =
    inner !== undefined && !(value === undefined && kept < 1 && rest.length > 0 && isEmpty(inner))
  if (typeof step === 'number') {
    const items = Array.isArray(document) ? [...(document as readonly Json[])] : []
    if (isLeft) items[step] = inner
    else items.splice(step, 1)
    return items
  }
  const members = isObject(document) ? Object.entries(document) : []
  const place = members.findIndex(([name]) => name === step)
  if (!isLeft) return Object.fromEntries(members.filter(([name]) => name !== step))
  if (place === -1) return Object.fromEntries([...members, [step, inner]])
  return Object.fromEntries(members.with(place, [step, inner]))
}

function emptyFor(step: string | number | undefined): Json {
  return typeof step === 'number' ? [] : {}
}

function isEmpty(value: Json): boolean {
  return (Array.isArray(value) || isObject(value)) && Object.keys(value).length === 0
}

export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Compares objects member by member, whatever their order; lists as a whole. */
export function differences(
  before: Json | undefined,
  after: Json | undefined,
  field = '',
): readonly Difference[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) =>
      differences(valueAt(before, [name]), valueAt(after, [name]), field + pointerOf([name])),
    )
  }
  return isEqual(before, after) ? [] : [{ field, before, after }]
}

function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]))
  if (isObject(one) && isObject(other)) return differences(one, other).length === 0
  return one === other
}

/** Every text of a document with its path. */
export function* textsIn(
  value: Json,
  path: Path = [],
): Generator<{ readonly path: Path; readonly text: string }> {
  if (typeof value === 'string') yield { path, text: value }
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index])
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) yield* textsIn(member, [...path, name])
}
