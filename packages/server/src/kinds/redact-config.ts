// kinds/redact-config.ts: what readers and events see of a driver's configuration. Redacted are texts
// wherever the driver's schema accepts a credential, and everywhere header values, and user info and query
// values of URLs. References to credentials stay: a name is not a secret. Where there is no schema (an
// unknown driver, free-form options), whatever is named like a secret is treated as one.
import { v2 } from '@pulseward/contract'
import type { TSchema } from 'typebox'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  mapValues,
  ownValue,
  pointerBelow,
} from '../platform/json/json.ts'
import type { DriverCategory } from './kind.ts'
import { isUrl, redactedText, redactUrls } from './redact-url.ts'

/** The schema of a driver's configuration; null for an unknown driver. */
export type DriverSchemas = (category: DriverCategory, type: string) => TSchema | null

/** The part of JSON Schema that says where secrets are. */
interface SecretShape {
  readonly type?: string
  readonly secret?: boolean
  readonly properties?: Readonly<Record<string, SecretShape>>
  readonly patternProperties?: Readonly<Record<string, SecretShape>>
  readonly additionalProperties?: boolean | SecretShape
  readonly items?: SecretShape
  readonly anyOf?: readonly SecretShape[]
}

const headersName = /headers$/i

/** A driver with its options: a DriverConfig of the contract. */
export function redactDriver(category: DriverCategory, driver: Json, schemas: DriverSchemas): Json {
  const type = isJsonObject(driver) ? ownValue(driver, 'type') : undefined
  const schema = typeof type === 'string' ? schemas(category, type) : null
  return changeAt(driver, ['config'], (config) => redactConfig(schema, config))
}

/** The options alone. */
export function redactConfig(schema: TSchema | null, config: Json): Json {
  return redact(config, schema === null ? [] : alternatives(schema as SecretShape), false)
}

/** Pointers to texts that contain the placeholder of a redacted answer: it must not be written back. */
export function placeholdersIn(value: Json, pointer = ''): string[] {
  if (typeof value === 'string') return placeholder.test(value) ? [pointer] : []
  // Pointers are built only if there is something to point at.
  if (!holdsPlaceholder(value)) return []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => placeholdersIn(inner, pointerBelow(pointer, key)))
}

const placeholder = /(\[|%5B)redacted(\]|%5D)/i

function holdsPlaceholder(value: Json): boolean {
  if (typeof value === 'string') return placeholder.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsPlaceholder)
}

function redact(value: Json, shapes: readonly SecretShape[], isHidden: boolean): Json {
  const takesCredential = shapes.some(({ secret }) => secret === true)
  if (isJsonObject(value)) {
    if ((takesCredential || shapes.some(({ type }) => type === 'string')) && isReference(value)) return value
    return mapValues(value, (inner, key) => redactMember(inner, key, shapes, isHidden || takesCredential))
  }
  if (Array.isArray(value)) {
    const itemShapes = shapes.flatMap(({ items }) => (items === undefined ? [] : alternatives(items)))
    return value.map((item) => redact(item, itemShapes, isHidden || takesCredential))
  }
  if (value === null) return value
  if (isHidden) return redactedText
  if (!takesCredential) return typeof value === 'string' ? redactUrls(value) : value
  // A field that also accepts an open URL shows where it leads.
  const isOpen = shapes.some(({ type }) => type === 'string')
  return isOpen && typeof value === 'string' && isUrl(value) ? redactUrls(value) : redactedText
}

function redactMember(value: Json, key: string, shapes: readonly SecretShape[], isHidden: boolean): Json {
  const inner = shapes.flatMap((shape) => shapesOfMember(shape, key))
  const isNamedSecret = inner.every(saysNothing) && v2.isSecretName(key)
  return redact(value, inner, isHidden || isNamedSecret || headersName.test(key))
}

function shapesOfMember(shape: SecretShape, key: string): SecretShape[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = shape
  const own = Object.hasOwn(properties, key) ? properties[key] : undefined
  if (own !== undefined) return alternatives(own)
  const others = Object.values(patternProperties)
  if (typeof additionalProperties === 'object') others.push(additionalProperties)
  return others.flatMap(alternatives)
}

function alternatives(shape: SecretShape): SecretShape[] {
  return shape.anyOf === undefined ? [shape] : shape.anyOf.flatMap(alternatives)
}

function saysNothing({ type, secret, properties }: SecretShape): boolean {
  return type === undefined && secret === undefined && properties === undefined
}

/** { credential: NAME } */
function isReference(value: JsonObject): boolean {
  return Object.keys(value).join() === 'credential' && typeof value['credential'] === 'string'
}

/** Changes the value at a path of keys; does nothing if there is none. */
export function changeAt(value: Json, path: readonly string[], change: (found: Json) => Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return value
  return mapValues(value, (inner, name) => (name === key ? changeAt(inner, rest, change) : inner))
}
