// commands/drivers.ts: lists the checks, notifiers and recoveries of this version, from the registries.
import { checks, notifiers, recoveries, UsageError } from '@pulseward/server'
import { formatted, printView } from '../client/output.ts'
import { type Column, table } from '../client/table/block.ts'
import { listed } from '../client/table/values.ts'
import type { Command } from '../command.ts'
import { outputFlag, outputFrom } from '../output-flag.ts'

/** What every registry knows about a driver. */
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

const columns: readonly Column<
  Pick<RegisteredDriver, 'summary' | 'requires'> & Record<'kind' | 'name', string>
>[] = [
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'NEEDS PACKAGES', cell: ({ requires }) => listed(requires), minimum: 14, dispensable: 2 },
  { title: 'WHAT IT DOES', cell: ({ summary }) => summary, minimum: 12, dispensable: 1 },
]

export const drivers: Command = {
  summary: 'list the drivers of checks, notifications and recoveries',
  usage: '[-o json]',
  flags: { output: outputFlag },
  examples: ['pulseward drivers', 'pulseward drivers -o json'],
  async run(parsed, terminal) {
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
    if (outputFrom(parsed) === 'json') terminal.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    else
      printView(
        terminal,
        formatted(terminal, 'wide', rows, () => [table(columns, rows, { empty: '' })]),
      )
    return 0
  },
}
