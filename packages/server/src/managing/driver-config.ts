// managing/driver-config.ts: a driver of v2 and its options. What is secret comes by reference: credentialRefs says
// which field of the options takes its value from which credential. In the running fleet such a field is the same
// { credential: NAME } that a fleet file has, with a name that no credential of a file can have.
import type { v2 } from '@pulseward/contract'
import type { DriverShape } from '../config/fleet-file/schema.ts'
import type { Path, Shape } from '../config/fleet-file/validate.ts'

/** Credentials of files and of v2 never meet: no id has a slash. */
const apiPrefix = 'v2/'

/** The name under which the running fleet knows a credential that was created through v2. */
export function credentialName(id: string): string {
  return apiPrefix + id
}

/** The id of a credential of v2; null for one of a file. */
export function credentialIdOf(name: string): string | null {
  return name.startsWith(apiPrefix) ? name.slice(apiPrefix.length) : null
}

export interface ConfigProblem {
  /** From the driver on: config, credentialRefs. */
  readonly path: Path
  /** The rest of a sentence about the place. */
  readonly message: string
}

type Config = Record<string, unknown>
type DriverConfig = v2.DriverConfig

/**
 * The options as the running fleet has them, or as a file does with names of its own for credentials. Where a path leads
 * through something else than objects, nothing is put.
 */
export function configWithReferences(
  { config, credentialRefs = {} }: DriverConfig,
  nameOf: (credentialId: string) => string = credentialName,
): Config {
  let filled = asConfig(config)
  for (const [field, id] of Object.entries(credentialRefs))
    filled = withValueAt(filled, field.split('.'), { credential: nameOf(id) })
  return filled
}

/** The ids of all credentials that it refers to. */
export function credentialsOf({ credentialRefs = {} }: DriverConfig): string[] {
  return [...new Set(Object.values(credentialRefs))]
}

/**
 * The options with the values of credentials in the places of ordinary fields, so that these can be judged; secret fields
 * keep their references. A credential without a value leaves its field out.
 */
export function configToJudge(
  { config, credentialRefs = {} }: DriverConfig,
  { config: schema }: DriverShape,
  valueOfCredential: (id: string) => string | null,
): Config {
  let filled = asConfig(config)
  for (const [field, id] of Object.entries(credentialRefs)) {
    const path = field.split('.')
    const value = isSecretAt(schema as Shape, path)
      ? { credential: credentialName(id) }
      : valueOfCredential(id)
    if (value !== null) filled = withValueAt(filled, path, value)
  }
  return filled
}

/** What is wrong with references, whatever the credentials are. */
export function referenceProblems(driver: DriverConfig, { config: schema }: DriverShape): ConfigProblem[] {
  const { config, credentialRefs = {} } = driver
  const problems: ConfigProblem[] = []
  for (const field of Object.keys(credentialRefs)) {
    const path = ['credentialRefs', field]
    const parts = field.split('.')
    const shape = shapeAt(schema as Shape, parts)
    if (shape === null || !takesText(shape))
      problems.push({ path, message: 'does not name a field of this driver that takes text' })
    else if (valueAt(config, parts) !== undefined)
      problems.push({ path, message: 'has a value in config already; give it in one of the two places' })
  }
  for (const place of referencesIn(config))
    problems.push({
      path: ['config', ...place],
      message: 'is a reference to a credential; it must stand in credentialRefs, not in config',
    })
  for (const place of secretsIn(schema as Shape, config))
    problems.push({
      path: ['config', ...place],
      message: 'is a secret, which never stands in config; create a credential and name it in credentialRefs',
    })
  return problems
}

/** Every place that holds { credential: … }. */
function* referencesIn(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, 'credential') && Object.keys(value).length === 1) yield path
  else for (const [key, inner] of Object.entries(value)) yield* referencesIn(inner, [...path, key])
}

/** Every place at which the schema wants a secret, and a text stands. */
function* secretsIn(shape: Shape, value: unknown, path: Path = []): Generator<Path> {
  if (shape.secret === true && typeof value === 'string') yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const innerShape = innerOf(shape, key)
    if (innerShape !== null) yield* secretsIn(innerShape, inner, [...path, key])
  }
}

function isSecretAt(shape: Shape, path: readonly string[]): boolean {
  const found = shapeAt(shape, path)
  return found?.secret === true || (found?.anyOf?.some(({ secret }) => secret === true) ?? false)
}

function takesText(shape: Shape): boolean {
  return shape.secret === true || shape.type === 'string' || (shape.anyOf?.some(takesText) ?? false)
}

function shapeAt(shape: Shape, path: readonly string[]): Shape | null {
  return path.reduce<Shape | null>((at, key) => (at === null ? null : innerOf(at, key)), shape)
}

function innerOf(shape: Shape, key: string): Shape | null {
  if (shape.properties !== undefined && Object.hasOwn(shape.properties, key))
    return shape.properties[key] ?? null
  const patterned = Object.entries(shape.patternProperties ?? {}).find(([pattern]) =>
    new RegExp(pattern, 'u').test(key),
  )
  if (patterned !== undefined) return patterned[1]
  if (shape.items !== undefined) return shape.items
  for (const alternative of shape.anyOf ?? []) {
    const inner = innerOf(alternative, key)
    if (inner !== null) return inner
  }
  return typeof shape.additionalProperties === 'object' ? shape.additionalProperties : null
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Config)[key] : undefined,
    value,
  )
}

function withValueAt(config: Config, [key = '', ...rest]: readonly string[], value: unknown): Config {
  if (rest.length === 0) return { ...config, [key]: value }
  const inner = Object.hasOwn(config, key) ? config[key] : {}
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return config
  return { ...config, [key]: withValueAt(inner as Config, rest, value) }
}

function asConfig(config: unknown): Config {
  return typeof config === 'object' && config !== null && !Array.isArray(config) ? (config as Config) : {}
}
