// commands/drivers.ts: lists the checks, notifications and recoveries of this version, or the options of one.
import { nearestName, UsageError } from '@pulseward/server'
import { type KnownDriver, knownDrivers } from '../client/driver-options.ts'
import { fieldTable } from '../client/field-table.ts'
import { formatted, printView } from '../client/output.ts'
import { type Block, type Column, facts, table } from '../client/table/block.ts'
import { listed } from '../client/table/values.ts'
import type { Command } from '../command.ts'
import { outputFlag, outputFrom } from '../output-flag.ts'

const columns: readonly Column<KnownDriver>[] = [
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'NEEDS PACKAGES', cell: ({ requires }) => listed(requires), minimum: 14, dispensable: 2 },
  { title: 'WHAT IT DOES', cell: ({ summary }) => summary, minimum: 12, dispensable: 1 },
]

export const drivers: Command = {
  summary: 'list drivers, or the options of one',
  usage: '[NAME] [-o json]',
  flags: { output: outputFlag },
  examples: ['pulseward drivers', 'pulseward drivers http', 'pulseward drivers -o json'],
  async run(parsed, terminal) {
    const [name, ...others] = parsed.operands
    if (others.length > 0) throw new UsageError(`"${others[0]}" is not expected here.`)
    const rows = name === undefined ? knownDrivers : named(name)
    if (outputFrom(parsed) === 'json') terminal.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    else
      printView(
        terminal,
        formatted(terminal, 'wide', rows, () =>
          name === undefined ? [table(columns, rows, { empty: '' })] : rows.flatMap(optionBlocks),
        ),
      )
    return 0
  },
}

/** Several kinds may have a driver of the same name. */
function named(name: string): KnownDriver[] {
  const found = knownDrivers.filter((driver) => driver.name === name)
  if (found.length > 0) return found
  const nearest = nearestName(
    name,
    knownDrivers.map((driver) => driver.name),
  )
  const hint = nearest === null ? 'Run `pulseward drivers` to see all.' : `Did you mean ${nearest}?`
  throw new UsageError(`There is no driver "${name}". ${hint}`)
}

function optionBlocks({ kind, name, summary, requires, schema }: KnownDriver): Block[] {
  return [
    facts([
      ['Driver', `${kind} ${name}`],
      ['What it does', summary],
      ...(requires.length === 0 ? [] : [['Needs packages', requires.join(', ')] as const]),
    ]),
    fieldTable(schema),
  ]
}
