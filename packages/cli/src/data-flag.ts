// data-flag.ts: what the commands that work on a data directory share: where it is, and how they report errors.
import { postgresTools, StoreError, UsageError } from '@pulseward/server'
import type { FlagSpec, ParsedArguments } from './arguments.ts'
import { settingFlags, settingsFrom } from './setting-flags.ts'
import type { Terminal } from './terminal.ts'

export const dataFlags: Readonly<Record<string, FlagSpec>> = {
  data: settingFlags['data']!,
  settings: settingFlags['settings']!,
}

/** Resolved as the service does: flag, environment, runtime file, default. */
export function dataDirectoryFrom({ flags }: ParsedArguments, { environment }: Terminal): string {
  return settingsFrom({ flags, operands: [] }, environment).values.data
}

export function isInPostgres(store: string): boolean {
  return store.startsWith('postgres')
}

/** For commands on the files of an embedded store: a store in PostgreSQL has other tools. */
export async function refusePostgres(
  { flags, operands }: ParsedArguments,
  { environment }: Terminal,
  instead: (commands: { readonly dump: string; readonly restore: string }) => string,
): Promise<void> {
  const { values } = settingsFrom({ flags, operands: [] }, environment)
  if (!isInPostgres(values.store) || flags.has('data')) return
  const { dumpCommandsOf } = await postgresTools()
  throw new UsageError(
    `The store is in PostgreSQL: ${instead(dumpCommandsOf(values.store, operands[0] ?? 'FILE'))}`,
  )
}

export function printProblems({ stderr }: Terminal, subject: string, problems: readonly string[]): void {
  for (const problem of problems) stderr.write(`pulseward: ${subject}: ${problem}\n`)
}

/** Exits with code 3 and the reason if the store is in use or its files cannot be accessed. */
export async function orRefused({ stderr }: Terminal, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    stderr.write(`pulseward: ${error.message}\n`)
    return 3
  }
}
