// trial/fleet-flags.ts: shared by the commands that try one part of a fleet file in their own process: the
// fleet and settings as the service would find them, one operand, and resolved credentials.
import { MissingCredential, putCredentialsInPlace, UsageError } from '@pulseward/server'
import type { FlagSpec, ParsedArguments } from '../arguments.ts'
import { settingFlags, settingsFrom } from '../setting-flags.ts'
import type { Terminal } from '../terminal.ts'

export const fleetFlags: Readonly<Record<string, FlagSpec>> = {
  config: settingFlags['config']!,
  settings: settingFlags['settings']!,
}

type Settings = ReturnType<typeof settingsFrom>['values']

/** From flag, environment, runtime file or default; operands belong to the command. */
export function trialSettings({ flags }: ParsedArguments, { environment }: Terminal): Settings {
  return settingsFrom({ flags, operands: [] }, environment).values
}

export function fleetPaths({ config }: Settings): readonly string[] {
  if (config.length === 0) throw new UsageError('No fleet is given: pass --config PATH.')
  return config
}

/** A driver's configuration with credential values inserted; a missing credential is a usage error. */
export function configInPlace(
  ...given: Parameters<typeof putCredentialsInPlace>
): Exclude<ReturnType<typeof putCredentialsInPlace>, MissingCredential> {
  const inPlace = putCredentialsInPlace(...given)
  if (inPlace instanceof MissingCredential)
    throw new UsageError(`The fleet cannot be used: ${inPlace.reason}.`)
  return inPlace
}
