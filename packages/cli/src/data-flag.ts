// data-flag.ts: what the commands that work on a data directory share: where it is, and how they say what is wrong.
import { StoreError } from '@pulseward/server'
import type { FlagSpec, ParsedArguments } from './arguments.ts'
import { settingFlags, settingsFrom } from './setting-flags.ts'
import type { Terminal } from './terminal.ts'

export const dataFlags: Readonly<Record<string, FlagSpec>> = {
  data: settingFlags['data']!,
  settings: settingFlags['settings']!,
}

/** As the service would find it: flag, environment, runtime file, default. */
export function dataDirectoryFrom({ flags }: ParsedArguments, { environment }: Terminal): string {
  return settingsFrom({ flags, operands: [] }, environment).values.data
}

export function printProblems({ stderr }: Terminal, subject: string, problems: readonly string[]): void {
  for (const problem of problems) stderr.write(`pulseward: ${subject}: ${problem}\n`)
}

/** Exit code 3 with the reason, when the store is in use or its files cannot be reached. */
export async function orRefused({ stderr }: Terminal, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    stderr.write(`pulseward: ${error.message}\n`)
    return 3
  }
}
