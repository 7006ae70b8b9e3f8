// commands/settings.ts: shows every setting, the value in force and where it comes from.
import { type Setting, settingKeys, settingTable } from '@pulseward/server'
import type { Command } from '../command.ts'
import { outputFlag, outputFrom } from '../output-flag.ts'
import { printTable } from '../print-table.ts'
import { settingFlags, settingsFrom } from '../setting-flags.ts'

export const settings: Command = {
  summary: 'show every setting, its value and where it comes from',
  usage: '[flags of serve] [--output json]',
  flags: { ...settingFlags, output: outputFlag },
  examples: ['pulseward settings', 'PULSEWARD_LISTEN=127.0.0.1:9000 pulseward settings'],
  async run(parsed, { environment, stdout }) {
    const output = outputFrom(parsed)
    const { values, origins } = settingsFrom(parsed, environment)
    const rows = settingKeys.map((key) => {
      const { summary, notInForce }: Setting = settingTable[key]
      return {
        setting: key,
        value: values[key],
        origin: origins[key],
        summary: notInForce ? `${summary} (not in this version yet)` : summary,
      }
    })
    if (output === 'json') stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    else {
      const cells = rows.map(({ setting, value, origin, summary }) => [setting, show(value), origin, summary])
      printTable(stdout, [['SETTING', 'VALUE', 'FROM', 'WHAT IT DOES'], ...cells])
    }
    return 0
  },
}

function show(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '-'
  return Array.isArray(value) ? value.join(',') : String(value)
}
