// api/schema-mistakes.ts: validates a value against a schema of the contract; each validator is compiled once.
import { Compile } from 'typebox/compile'

type Mistakes = (value: unknown) => unknown[]
const compiled = new Map<object, Mistakes>()

/** The places where a value breaks its schema; fields that the schema does not name are mistakes too. */
export function mistakesIn(schema: object, value: unknown): unknown[] {
  let mistakes = compiled.get(schema)
  if (mistakes === undefined) {
    const validator = Compile(closed(schema) as object)
    mistakes = (value) =>
      [...validator.Errors(value)].map(({ instancePath, message, params }) => ({
        instancePath,
        message,
        params,
      }))
    compiled.set(schema, mistakes)
  }
  return mistakes(value)
}

/** The same schema, with objects closed to unnamed fields unless they allow them explicitly. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in copy && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy
}
