// scripts/generate/json-schemas.ts: the JSON Schemas of the fleet file and of the runtime file, for editors
// and third-party validators. They are plain JSON Schema: our own keywords are left out, because a strict
// validator refuses unknown keywords.
import { driverShapes, fleetFileJsonSchema, settingsFileJsonSchema } from '@pulseward/server'

export async function jsonSchemas(): Promise<Map<string, string>> {
  return new Map([
    ['schemas/fleet.schema.json', text(fleetFileJsonSchema(driverShapes))],
    ['schemas/settings.schema.json', text(settingsFileJsonSchema())],
  ])
}

/** Keywords whose value maps names of the user to schemas: the keys there are not keywords. */
const namesToSchemas = new Set(['properties', 'patternProperties', '$defs'])
/** Annotations for our own validation. */
const ownKeywords = new Set(['secret', 'oneLine', 'pushKey'])

/** Keywords whose value is data, not a schema. */
const data = new Set(['enum', 'const', 'default', 'required'])

function text(schema: object): string {
  return `${JSON.stringify(published(schema), null, 2)}\n`
}

function published(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(published)
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(
    ([keyword]) => !ownKeywords.has(keyword) && !keyword.startsWith('~'),
  )
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (data.has(keyword)) return [keyword, value]
      if (!namesToSchemas.has(keyword)) return [keyword, published(value)]
      return [keyword, mapValues(value, published)]
    }),
  )
}

function mapValues(record: object, map: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
