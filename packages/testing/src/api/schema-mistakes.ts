// api/schema-mistakes.ts: holds a value against a schema of the contract, by a validator that is compiled once.
import { Compile } from 'typebox/compile'

type Mistakes = (value: unknown) => unknown[]
const compiled = new Map<object, Mistakes>()

/** Where a value does not keep to a schema; fields that the schema does not name are mistakes too. */
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

/** The same schema, but objects with named fields have no others, unless they say so themselves. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in copy && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy
}
