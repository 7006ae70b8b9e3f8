// config/shape/meant-alternative.ts: decides which alternative of a union a value was meant for, so that only
// the mistakes against that one are reported.
import type { Shape } from './shape.ts'

export type Meant =
  | { readonly shape: Shape }
  /** The discriminating member is missing or has none of the allowed values. This shape explains that. */
  | { readonly instead: Shape }

/** Expects the alternatives that have the JSON type of the value. */
export function meantAlternative(alternatives: readonly Shape[], value: unknown): Meant {
  const [only, ...others] = alternatives
  if (only === undefined) throw new Error('a union has no alternatives')
  if (others.length === 0 || typeof value !== 'object' || value === null) return { shape: only }
  const key = tellingKey(alternatives)
  if (key === null) return { shape: nearest(alternatives, Object.keys(value)) }
  const said = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
  const shape = alternatives.find((one) => constantOf(one, key) === said)
  if (shape !== undefined) return { shape }
  const allowed = alternatives.map((one) => constantOf(one, key))
  const properties = { [key]: { type: 'string', enum: allowed } }
  return { instead: { type: 'object', required: [key], properties, additionalProperties: {} } }
}

/** The discriminator: the member, such as `kind`, that is a different constant in each alternative. */
function tellingKey(alternatives: readonly Shape[]): string | null {
  const keys = Object.keys(alternatives[0]?.properties ?? {})
  return (
    keys.find((key) => {
      const constants = alternatives.map((one) => constantOf(one, key))
      return !constants.includes(undefined) && new Set(constants).size === constants.length
    }) ?? null
  )
}

function constantOf({ properties = {} }: Shape, key: string): unknown {
  return Object.hasOwn(properties, key) ? properties[key]?.const : undefined
}

/** The alternative that knows most of the given members. */
function nearest(alternatives: readonly Shape[], given: readonly string[]): Shape {
  const knownBy = ({ properties = {} }: Shape) => given.filter((key) => Object.hasOwn(properties, key)).length
  return alternatives.reduce((best, one) => (knownBy(one) > knownBy(best) ? one : best))
}
