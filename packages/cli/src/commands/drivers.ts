// commands/drivers.ts: shows what this version can check, whom it can tell and how it can recover, from the registries.
import { checks, notifiers, recoveries, UsageError } from '@pulseward/server'
import type { Command } from '../command.ts'
import { outputFlag, outputFrom } from '../output-flag.ts'
import { printTable } from '../print-table.ts'

/** What every registry knows of a driver. */
interface RegisteredDriver {
  readonly summary: string
  readonly config: object
  readonly requires?: readonly string[]
}

const registries: Readonly<Record<string, Readonly<Record<string, RegisteredDriver>>>> = {
  check: checks,
  notification: notifiers,
  recovery: recoveries,
}

export const drivers: Command = {
  summary: 'list the drivers of checks, notifications and recoveries',
  usage: '[-o json]',
  flags: { output: outputFlag },
  examples: ['pulseward drivers', 'pulseward drivers -o json'],
  async run(parsed, { stdout }) {
    if (parsed.operands.length > 0) throw new UsageError(`"${parsed.operands[0]}" is not expected here.`)
    const rows = Object.entries(registries).flatMap(([kind, registry]) =>
      Object.entries(registry).map(([name, { summary, requires = [], config }]) => ({
        kind,
        name,
        summary,
        requires,
        schema: config,
      })),
    )
    if (outputFrom(parsed) === 'json') stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    else {
      const cells = rows.map(({ kind, name, requires, summary }) => [
        kind,
        name,
        requires.join(', ') || '-',
        summary,
      ])
      printTable(stdout, [['KIND', 'NAME', 'NEEDS PACKAGES', 'WHAT IT DOES'], ...cells])
    }
    return 0
  },
}
