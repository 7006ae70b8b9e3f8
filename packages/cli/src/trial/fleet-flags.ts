// trial/fleet-flags.ts: what the commands share that try one thing from a fleet file in their own process: the fleet
// and the settings as the service would find them, one operand, and credentials in place.
import { mapSecrets, UsageError } from '@pulseward/server'
import type { FlagSpec, ParsedArguments } from '../arguments.ts'
import { settingFlags, settingsFrom } from '../setting-flags.ts'
import type { Terminal } from '../terminal.ts'

export const fleetFlags: Readonly<Record<string, FlagSpec>> = {
  config: settingFlags['config']!,
  settings: settingFlags['settings']!,
}

type Settings = ReturnType<typeof settingsFrom>['values']

/** Flag, environment, runtime file, default; operands are the command's own. */
export function trialSettings({ flags }: ParsedArguments, { environment }: Terminal): Settings {
  return settingsFrom({ flags, operands: [] }, environment).values
}

export function fleetPaths({ config }: Settings): readonly string[] {
  if (config.length === 0) throw new UsageError('No fleet is given: pass --config PATH.')
  return config
}

export interface ConfigInPlace {
  /** With the values of credentials in it. */
  readonly config: Record<string, unknown>
  readonly secrets: readonly string[]
}

export function putCredentialsInPlace(
  schema: Parameters<typeof mapSecrets>[0],
  config: object,
  credentials: ReadonlyMap<string, string>,
): ConfigInPlace {
  const secrets: string[] = []
  const filled = mapSecrets(schema, config, (name) => {
    const value = credentials.get(name) ?? ''
    secrets.push(value)
    return value
  })
  return { config: filled as Record<string, unknown>, secrets }
}

/** Names come from files; control characters in them must not reach a terminal. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}
