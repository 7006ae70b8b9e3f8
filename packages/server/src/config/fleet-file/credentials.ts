// config/fleet-file/credentials.ts: secrets by reference. A fleet file names where a value comes from. Values
// are read here, kept apart from the definition, and filled in only where a driver runs.
import type { TSchema } from 'typebox'
import { readRegularFile } from '../../platform/regular-file.ts'
import type { Path } from '../shape/shape.ts'
import { mapReferences, referenceIn } from './credential-places.ts'

export type Credentials = ReadonlyMap<string, string>
export type CredentialSource = { readonly env?: string; readonly file?: string }

/** Keeps credentials of files and of v2 apart: no id contains a slash. */
const apiPrefix = 'v2/'

/** The name under which the running fleet knows a credential that was created through v2. */
export function credentialName(id: string): string {
  return apiPrefix + id
}

/** The id of a credential of v2; null for one of a file. */
export function credentialIdOf(name: string): string | null {
  return name.startsWith(apiPrefix) ? name.slice(apiPrefix.length) : null
}

/** Marks a credential whose value must fit a field, in a monitor's list of credentials. No credential has such a name. */
export function openUse(name: string): string {
  return `open ${name}`
}

/** Marks a job type that the monitor uses, in its list of credentials. No credential has such a name. */
export function jobTypeUse(id: string): string {
  return `job type ${id}`
}

const longestValue = 1 << 20

/** The value, or why there is none. `isUnset`: the source is right, but has no value. */
export function readCredential(
  source: CredentialSource,
  environment: NodeJS.ProcessEnv,
): { value: string } | { path: Path; message: string; isUnset?: true } {
  const { env, file } = source
  if (env !== undefined && file === undefined) {
    const value = environment[env]
    if (value) return { value }
    return {
      path: ['env'],
      message: `the environment variable ${env} is ${value === '' ? 'empty' : 'not set'}; set it where the service runs.`,
      isUnset: true,
    }
  }
  if (file === undefined || env !== undefined) return { path: [], message: 'needs env or file, one of them.' }
  try {
    const value = readRegularFile(file).replace(/\r?\n$/, '')
    if (value.length > longestValue)
      return { path: ['file'], message: `the file ${file} is larger than 1 MiB, which no credential is.` }
    return value === '' ? { path: ['file'], message: `the file ${file} is empty.`, isUnset: true } : { value }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT')
      return { path: ['file'], message: `the file ${file} does not exist.`, isUnset: true }
    if (code === 'ENOTREG') return { path: ['file'], message: `the file ${file} is not a regular file.` }
    return { path: ['file'], message: `the file ${file} cannot be read (${code}).` }
  }
}

/** A driver's configuration with values filled in, and the values that must be redacted from everything it returns. */
export interface ConfigInPlace {
  readonly config: Record<string, unknown>
  readonly secrets: readonly string[]
}

/** A driver must not run without a secret that it was given: it would log in as another user, or anonymously. */
export class MissingCredential {
  readonly reason: string
  constructor(name: string) {
    const id = credentialIdOf(name)
    this.reason =
      id === null
        ? `the credential ${JSON.stringify(name)} has no value; define it under credentials in the fleet file`
        : `the value of the credential ${JSON.stringify(id)} cannot be decrypted; put its key back into the key file, or write the value again`
  }
}

/** Fills in the values of credentials. If one has no value, returns the first such credential instead. */
export function putCredentialsInPlace(
  schema: TSchema,
  config: object,
  credentials: Credentials,
): ConfigInPlace | MissingCredential {
  const secrets: string[] = []
  let missing: string | null = null
  const filled = mapReferences(schema, config, ({ name }) => {
    const value = credentials.get(name) ?? ''
    if (value === '') missing ??= name
    secrets.push(value)
    return value
  })
  if (missing !== null) return new MissingCredential(missing)
  return { config: filled as Record<string, unknown>, secrets }
}

/** The names of all credentials referenced in options as { credential: NAME }, sorted and without duplicates. */
export function credentialNames(options: unknown): string[] {
  const names = new Set<string>()
  const rest: unknown[] = [options]
  for (let value = rest.pop(); rest.length > 0 || value !== undefined; value = rest.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const name = referenceIn(value)
    if (name !== null) names.add(name)
    else rest.push(...Object.values(value))
  }
  return [...names].sort()
}
