// config/fleet-file/credentials.ts: secrets by reference. A fleet file names where a value comes from; values
// are read here, kept apart from the definition, and put in place only where a driver runs.
import { readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import type { Path } from './validate.ts'

export type Credentials = ReadonlyMap<string, string>
export type CredentialSource = { readonly env?: string; readonly file?: string }

/** The value, or why there is none. */
export function readCredential(
  source: CredentialSource,
  environment: NodeJS.ProcessEnv,
): { value: string } | { path: Path; message: string } {
  const { env, file } = source
  if (env !== undefined && file === undefined) {
    const value = environment[env]
    if (value) return { value }
    return {
      path: ['env'],
      message: `the environment variable ${env} is ${value === '' ? 'empty' : 'not set'}.`,
    }
  }
  if (file === undefined || env !== undefined) return { path: [], message: 'needs env or file, one of them.' }
  try {
    const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    return value === '' ? { path: ['file'], message: `the file ${file} is empty.` } : { value }
  } catch (error) {
    const problem =
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'does not exist'
        : `cannot be read (${(error as NodeJS.ErrnoException).code})`
    return { path: ['file'], message: `the file ${file} ${problem}.` }
  }
}

/** The configuration of a driver as it runs, and the values that must not be seen in anything that comes back. */
export interface ConfigInPlace {
  readonly config: Record<string, unknown>
  readonly secrets: readonly string[]
}

/** A driver must not run without a secret that it was given: it would log in as another user, or as none. */
export class MissingCredential {
  readonly reason: string
  constructor(name: string) {
    this.reason = `the credential ${JSON.stringify(name)} has no value; define it under credentials in the fleet file`
  }
}

/** Puts values where the configuration names credentials; the first that has none is told instead. */
export function putCredentialsInPlace(
  schema: TSchema,
  config: object,
  credentials: Credentials,
): ConfigInPlace | MissingCredential {
  const secrets: string[] = []
  let missing: string | null = null
  const filled = mapSecrets(schema, config, (name) => {
    const value = credentials.get(name) ?? ''
    if (value === '') missing ??= name
    secrets.push(value)
    return value
  })
  if (missing !== null) return new MissingCredential(missing)
  return { config: filled as Record<string, unknown>, secrets }
}

/** The names of all credentials that stand in options as { credential: NAME }, in order, each once. */
export function credentialNames(options: unknown): string[] {
  const names = new Set<string>()
  const rest: unknown[] = [options]
  for (let value = rest.pop(); rest.length > 0 || value !== undefined; value = rest.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const { credential } = value as { credential?: unknown }
    if (typeof credential === 'string' && Object.keys(value).length === 1) names.add(credential)
    else rest.push(...Object.values(value))
  }
  return [...names].sort()
}

interface SecretShape {
  readonly secret?: boolean
  readonly properties?: Record<string, SecretShape>
  readonly patternProperties?: Record<string, SecretShape>
  readonly items?: SecretShape
  readonly anyOf?: readonly SecretShape[]
}

/** Replaces every value at a secret place of the schema; everything else is kept as it is. */
export function mapSecrets(
  schema: TSchema,
  value: unknown,
  replace: (name: string, path: Path) => unknown,
): unknown {
  return replaceIn(schema as SecretShape, value, [], replace)
}

function replaceIn(
  shape: SecretShape,
  value: unknown,
  path: Path,
  replace: (name: string, path: Path) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (shape.secret || shape.anyOf?.some((alternative) => alternative.secret)) {
    const { credential } = value as { credential?: unknown }
    return typeof credential === 'string' ? replace(credential, [...path, 'credential']) : value
  }
  if (Array.isArray(value))
    return value.map((item, index) => replaceIn(shape.items ?? {}, item, [...path, index], replace))
  if (shape.anyOf)
    return shape.anyOf.reduce(
      (current, alternative) => replaceIn(alternative, current, path, replace),
      value as unknown,
    )
  const patterned = Object.values(shape.patternProperties ?? {})[0]
  const entries = Object.entries(value).map(([key, inner]) => {
    const innerShape = shape.properties?.[key] ?? patterned
    return [key, innerShape === undefined ? inner : replaceIn(innerShape, inner, [...path, key], replace)]
  })
  return Object.fromEntries(entries)
}
