// controller/resolved-config.ts: the configuration of a driver with credentials in place, and the values that must
// not be seen in anything that comes back from it.
import type { TSchema } from 'typebox'
import { type Credentials, mapSecrets } from '../config/fleet-file/credentials.ts'

export interface ResolvedConfig {
  readonly config: Record<string, unknown>
  readonly secrets: readonly string[]
}

export function resolvedConfig(schema: TSchema, config: object, credentials: Credentials): ResolvedConfig {
  const secrets: string[] = []
  const resolved = mapSecrets(schema, config, (name) => {
    const value = credentials.get(name)
    if (value !== undefined) secrets.push(value)
    return value
  })
  return { config: resolved as Record<string, unknown>, secrets }
}
