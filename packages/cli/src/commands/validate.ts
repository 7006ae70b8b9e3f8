// commands/validate.ts: checks fleet files and prints everything that is wrong with them.
import { driverShapes, loadFleet, UsageError } from '@pulseward/server'
import { lastValue } from '../arguments.ts'
import type { Command } from '../command.ts'

export const validate: Command = {
  summary: 'check fleet files and print every mistake',
  usage: 'PATH…',
  flags: {
    config: { kind: 'value', valueName: 'PATH', summary: 'Fleet file or folder; the same as naming it.' },
    'allow-empty': { kind: 'switch', summary: 'A fleet without monitors is fine.' },
  },
  examples: ['pulseward validate fleet.yaml', 'pulseward validate fleet/ extra.ndjson'],
  async run(parsed, { environment, stdout }) {
    const paths = [...(parsed.flags.get('config') ?? []), ...parsed.operands]
    const allowEmpty = lastValue(parsed, 'allow-empty') ?? 'false'
    if (!['true', 'false'].includes(allowEmpty))
      throw new UsageError(`--allow-empty: must be true or false, not "${allowEmpty}".`)
    if (paths.length === 0) throw new UsageError('Name the fleet files to check: pulseward validate PATH…')
    const started = performance.now()
    const { definition, files } = await loadFleet({
      paths,
      drivers: driverShapes,
      allowEmpty: allowEmpty === 'true',
      environment,
    })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    stdout.write(
      `${count(definition.count, 'monitor')} in ${count(files.length, 'file')}: everything is right (${seconds} s).\n`,
    )
    return 0
  },
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
