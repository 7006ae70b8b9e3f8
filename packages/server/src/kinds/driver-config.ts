// kinds/driver-config.ts: a v2 driver and its options. Secrets are given by reference: credentialRefs says
// which field of the options takes its value from which credential. In the running fleet such a field is the
// same { credential: NAME } as in a fleet file, with a name that no credential of a file can have. A driver
// that the service does not have is a job type, which external workers carry out.
import type { v2 } from '@pulseward/contract'
import { driverOfJob } from '../config/external-driver.ts'
import { memberShape, shapeAt, takesCredential } from '../config/fleet-file/credential-places.ts'
import { credentialName, jobTypeUse } from '../config/fleet-file/credentials.ts'
import type { DriverShape, DriverShapes } from '../config/fleet-file/schema.ts'
import type { Path, Shape } from '../config/shape/shape.ts'

export interface ConfigProblem {
  /** Relative to the driver: config, credentialRefs. */
  readonly path: Path
  /** The rest of a sentence about the path. */
  readonly message: string
}

type Config = Record<string, unknown>
type DriverConfig = v2.DriverConfig

/**
 * The options as the running fleet has them, or as in a file, with nameOf naming the credentials. If a path
 * leads through something other than objects, nothing is inserted.
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

export type Shapes = Readonly<Record<string, DriverShape>>

/** Null for a driver that the service does not have. */
export function shapeOf(shapes: Shapes, type: string): DriverShape | null {
  return Object.hasOwn(shapes, type) ? (shapes[type] ?? null) : null
}

/** A driver as the running fleet has it. */
export interface RunningDriver {
  readonly type: string
  readonly config: Config
}

/** nameOf: the name of a credential; by default its name in the running fleet. */
export function runningDriver(
  driver: DriverConfig,
  shapes: Shapes,
  nameOf?: (credentialId: string) => string,
): RunningDriver {
  if (shapeOf(shapes, driver.type) !== null)
    return { type: driver.type, config: configWithReferences(driver, nameOf) }
  const { type, config, credentialRefs = {} } = driver
  return driverOfJob({ jobType: type, parameters: config, profile: profileIn(credentialRefs) })
}

/** The name by which workers know a secret; empty if there is none. */
function profileIn(credentialRefs: Readonly<Record<string, string>>): string {
  return Object.hasOwn(credentialRefs, 'profile') ? (credentialRefs['profile'] ?? '') : ''
}

/**
 * The ids of all credentials that it refers to. None for a job type: its reference is a worker's own name for a secret.
 */
export function credentialsOf({ type, credentialRefs = {} }: DriverConfig, shapes: Shapes): string[] {
  return shapeOf(shapes, type) === null ? [] : [...new Set(Object.values(credentialRefs))]
}

/** The id of its job type; null for a driver of the service. */
export function jobTypeOf({ type }: DriverConfig, shapes: Shapes): string | null {
  return shapeOf(shapes, type) === null ? type : null
}

/** The drivers of a monitor, each with the drivers allowed in its place. */
export function driversOfMonitor(
  { check, recovery }: v2.Monitor['spec'],
  { checks, recoveries }: DriverShapes,
): (readonly [DriverConfig, Shapes])[] {
  const ofCheck = [check.driver, checks] as const
  return recovery === undefined ? [ofCheck] : [ofCheck, [recovery.driver, recoveries]]
}

/** What a driver uses, by its names in the running fleet. */
export function usedNames(driver: DriverConfig, shapes: Shapes): string[] {
  const jobType = jobTypeOf(driver, shapes)
  return jobType === null ? credentialsOf(driver, shapes).map(credentialName) : [jobTypeUse(jobType)]
}

/** What is wrong with the references themselves, whatever the credentials are. */
export function referenceProblems(driver: DriverConfig, { config: schema }: DriverShape): ConfigProblem[] {
  const { config, credentialRefs = {} } = driver
  const problems: ConfigProblem[] = []
  for (const field of Object.keys(credentialRefs)) {
    const path = ['credentialRefs', field]
    const parts = field.split('.')
    const shape = shapeAt(schema, parts)
    if (shape === null || !takesCredential(shape))
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

/** The path of every { credential: … }. */
function* referencesIn(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, 'credential') && Object.keys(value).length === 1) yield path
  else for (const [key, inner] of Object.entries(value)) yield* referencesIn(inner, [...path, key])
}

/** The path of every text where the schema requires a secret. */
function* secretsIn(shape: Shape, value: unknown, path: Path = []): Generator<Path> {
  if (shape.secret === true && typeof value === 'string') yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const innerShape = Array.isArray(value) ? (shape.items ?? null) : memberShape(shape, key)
    if (innerShape !== null) yield* secretsIn(innerShape, inner, [...path, key])
  }
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
