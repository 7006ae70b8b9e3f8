// commands/credentials.ts: makes the key that seals credentials before a service does, and rotates it, beside a running
// service or without one. Never prints a key or a value.
import {
  createCredentialsKey,
  KeyRingError,
  type ResolvedSettings,
  rotateCredentialsKey,
  UsageError,
} from '@pulseward/server'
import type { Command } from '../command.ts'
import { dataFlags, orRefused } from '../data-flag.ts'
import { settingsFrom } from '../setting-flags.ts'
import type { Terminal } from '../terminal.ts'

export const credentials: Command = {
  summary: 'make the key of stored secrets, or rotate it while it runs',
  usage: 'rotate-key | create-key FILE [--data DIR] [--settings FILE]',
  firstWords: ['rotate-key', 'create-key'],
  flags: dataFlags,
  examples: [
    'pulseward credentials rotate-key',
    'pulseward credentials rotate-key --data ./pulseward-data',
    'pulseward credentials create-key ./pulseward-data.key',
  ],
  async run({ flags, operands }, terminal) {
    const [verb, ...words] = operands
    const { values } = settingsFrom({ flags, operands: [] }, terminal.environment)
    if (verb === 'rotate-key' && words.length === 0)
      return orRefused(terminal, () => orKeyRefused(terminal, () => rotate(terminal, values)))
    if (verb === 'create-key' && words.length === 1)
      return orKeyRefused(terminal, () => create(terminal, words[0]!))
    throw new UsageError(
      'Say what to do: pulseward credentials rotate-key, or pulseward credentials create-key FILE. See --help.',
    )
  },
}

async function create({ stderr }: Terminal, path: string): Promise<number> {
  await createCredentialsKey(path)
  stderr.write(`pulseward: ${path} has a new key. Put it beside the data directory of each machine.
`)
  return 0
}

async function rotate(terminal: Terminal, settings: ResolvedSettings['values']): Promise<number> {
  const { stdout, stderr } = terminal
  const rotation = await rotateCredentialsKey({
    directory: settings.data,
    keyFile: settings.credentials_key_file,
    store: settings.store === 'memory' ? 'sqlite' : settings.store,
    store_password_file: settings.store_password_file,
  })
  const { keyFile, currentKeyId, oldKeysRemoved, keysBefore, unreadable } = rotation
  for (const id of unreadable)
    stderr.write(
      `pulseward: The credential ${id} cannot be opened by any key of ${keyFile}; write it again.\n`,
    )
  if (!oldKeysRemoved) {
    stderr.write(
      `pulseward: The new key ${currentKeyId} is in ${keyFile}, and the old keys are still there: the service has not said that nothing needs them. Look at its log and its state, then run this again.\n`,
    )
    return 1
  }
  const removed = keysBefore === 1 ? 'the old key was removed' : `${keysBefore} old keys were removed`
  stdout.write(`All credentials are sealed by the new key ${currentKeyId}; ${removed} from ${keyFile}.\n`)
  stderr.write(
    'pulseward: Keep a copy of the new key file. A backup that was made before needs the key file of then.\n',
  )
  return 0
}

/** Exits with code 3 and the reason if the key file cannot be used. */
async function orKeyRefused({ stderr }: Terminal, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof KeyRingError)) throw error
    stderr.write(`pulseward: ${error.message}\n`)
    return 3
  }
}
