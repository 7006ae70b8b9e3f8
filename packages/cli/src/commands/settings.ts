// commands/settings.ts: shows every setting, the value in force and where it comes from.
import { settingKeys, settingTable } from '@pulseward/server'
import { formatted, printView } from '../client/output.ts'
import { type Column, table } from '../client/table/block.ts'
import type { Command } from '../command.ts'
import { outputFlag, outputFrom } from '../output-flag.ts'
import { settingFlags, settingsFrom } from '../setting-flags.ts'

interface SettingRow {
  readonly setting: string
  readonly value: unknown
  readonly origin: string
  readonly summary: string
}

const columns: readonly Column<SettingRow>[] = [
  { title: 'SETTING', cell: ({ setting }) => setting },
  { title: 'VALUE', cell: ({ value }) => show(value), minimum: 8 },
  { title: 'FROM', cell: ({ origin }) => origin, minimum: 7, dispensable: 1 },
  { title: 'WHAT IT DOES', cell: ({ summary }) => summary, minimum: 16, dispensable: 2 },
]

export const settings: Command = {
  summary: 'show every setting, its value and where it comes from',
  usage: '[flags of serve] [--output json]',
  flags: { ...settingFlags, output: outputFlag },
  examples: ['pulseward settings', 'PULSEWARD_LISTEN=127.0.0.1:9000 pulseward settings'],
  async run(parsed, terminal) {
    const output = outputFrom(parsed)
    const { written, origins } = settingsFrom(parsed, terminal.environment)
    const rows = settingKeys.map((key) => {
      const { summary } = settingTable[key]
      return {
        setting: key,
        value: written[key],
        origin: origins[key],
        summary,
      }
    })
    if (output === 'json') terminal.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    else
      printView(
        terminal,
        formatted(terminal, 'wide', rows, () => [table(columns, rows, { empty: '' })]),
      )
    return 0
  },
}

function show(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '-'
  return Array.isArray(value) ? value.join(',') : String(value)
}
