// scripts/generate/helm-chart/value-shapes.ts: the few types of chart values. Each has its default and its
// description, so that values.yaml, its schema and the table of values have one source.

export interface ValueShape {
  readonly description: string
  readonly type?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, ValueShape>>
  readonly [keyword: string]: unknown
}

type Keywords = Readonly<Record<string, unknown>>

/** A closed mapping: an unknown key is a mistake. */
export function group(description: string, properties: Readonly<Record<string, ValueShape>>): ValueShape {
  return { description, type: 'object', additionalProperties: false, properties }
}

export function text(description: string, fallback = '', keywords: Keywords = {}): ValueShape {
  return { description, type: 'string', default: fallback, ...keywords }
}

export function choice(
  description: string,
  values: readonly [string, ...string[]],
  keywords: Keywords = {},
): ValueShape {
  return { description, enum: values, default: values[0], ...keywords }
}

export function flag(description: string, fallback: boolean): ValueShape {
  return { description, type: 'boolean', default: fallback }
}

export function whole(
  description: string,
  fallback: number,
  [minimum, maximum]: readonly [number, number?],
): ValueShape {
  return {
    description,
    type: 'integer',
    default: fallback,
    minimum,
    ...(maximum === undefined ? {} : { maximum }),
  }
}

export function list(description: string, items: Keywords): ValueShape {
  return { description, type: 'array', items, default: [] }
}

/** Labels and annotations. */
export function names(description: string, fallback: Keywords = {}): ValueShape {
  return { description, type: 'object', additionalProperties: { type: 'string' }, default: fallback }
}

/** A part of the Kubernetes API, which the cluster validates itself. */
export function passedOn(description: string, fallback: Keywords = {}): ValueShape {
  return { description, type: 'object', default: fallback }
}
