// commands/validate.ts: checks fleet files and prints everything that is wrong with them.
import { counted, driverShapes, loadFleet, UsageError } from '@pulseward/server'
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
      `${counted(definition.count, 'monitor')} in ${counted(files.length, 'file')}: everything is right (${seconds} s).\n`,
    )
    return 0
  },
}
