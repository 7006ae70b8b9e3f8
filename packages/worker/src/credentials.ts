// credentials.ts: the secrets that a worker keeps itself, by profile: from the options, or from files in a folder, as
// secrets are mounted into containers. Looked up for every job, so that a changed secret takes effect at once.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Secret = string | (() => string | Promise<string>)

/** Secrets by profile, or the path of a folder with one file per profile. */
export type CredentialsOption = Readonly<Record<string, Secret>> | string

export type FindCredential = (profile: string) => Promise<string | null>

export function credentialsFrom(option: CredentialsOption = {}): FindCredential {
  return typeof option === 'string'
    ? (profile) => fromFile(option, profile)
    : (profile) => fromOption(option, profile)
}

async function fromOption(secrets: Readonly<Record<string, Secret>>, profile: string) {
  const secret = Object.hasOwn(secrets, profile) ? secrets[profile] : undefined
  return (typeof secret === 'function' ? await secret() : secret) ?? null
}

async function fromFile(folder: string, profile: string): Promise<string | null> {
  // The name comes over the network and must not lead out of the folder.
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(profile)) return null
  try {
    return (await readFile(join(folder, profile), 'utf8')).replace(/\r?\n$/, '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
