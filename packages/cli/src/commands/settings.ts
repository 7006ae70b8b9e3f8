// commands/settings.ts: shows every setting, the value in force and where it comes from.
import { type Setting, settingKeys, settingTable, UsageError } from '@pulseward/server'
import { lastValue } from '../arguments.ts'
import type { Command } from '../command.ts'
import { settingFlags, settingsFrom } from '../setting-flags.ts'

export const settings: Command = {
  summary: 'show every setting, its value and where it comes from',
  usage: '[flags of serve] [--output json]',
  flags: {
    ...settingFlags,
    output: { kind: 'value', valueName: 'table|json', summary: 'How to print. Default table.' },
  },
  examples: ['pulseward settings', 'PULSEWARD_LISTEN=127.0.0.1:9000 pulseward settings'],
  async run(parsed) {
    const output = lastValue(parsed, 'output') ?? 'table'
    if (!['table', 'json'].includes(output))
      throw new UsageError(`--output: "${output}" is not allowed here; use table or json.`)
    const { values, origins } = settingsFrom(parsed, process.env)
    const rows = settingKeys.map((key) => {
      const { summary, notInForce }: Setting = settingTable[key]
      return {
        setting: key,
        value: values[key],
        origin: origins[key],
        summary: notInForce ? `${summary} (not in this version yet)` : summary,
      }
    })
    if (output === 'json') console.log(JSON.stringify(rows, null, 2))
    else
      printTable(rows.map(({ setting, value, origin, summary }) => [setting, show(value), origin, summary]))
    return 0
  },
}

function show(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '-'
  return Array.isArray(value) ? value.join(',') : String(value)
}

function printTable(rows: string[][]): void {
  const all = [['SETTING', 'VALUE', 'FROM', 'WHAT IT DOES'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]!.length)))
  for (const row of all) {
    console.log(row.map((cell, column) => (column < 3 ? cell.padEnd(widths[column]!) : cell)).join('  '))
  }
}
