// commands/validate.ts: checks fleet files and prints everything that is wrong with them.
import {
  counted,
  driverShapes,
  type LoadedFleet,
  loadFleet,
  PackedReader,
  silentRows,
  UsageError,
} from '@pulseward/server'
import { switchValue } from '../client/flag-values.ts'
import { plain } from '../client/plain-text.ts'
import { mostNamed, someNamed } from '../client/some-named.ts'
import type { Command } from '../command.ts'
import { placeNotes } from '../place-notes.ts'
import { holeNotes } from '../schedule-hole-notes.ts'

export const validate: Command = {
  summary: 'check fleet files and print every mistake',
  usage: 'PATH…',
  flags: {
    config: { kind: 'value', valueName: 'PATH', summary: 'Fleet file or folder; the same as naming it.' },
    'allow-empty': { kind: 'switch', summary: 'A fleet without monitors is fine.' },
    'allow-unset': { kind: 'switch', summary: 'Values of credentials need not be there yet.' },
  },
  examples: [
    'pulseward validate fleet.yaml',
    'pulseward validate fleet/ extra.ndjson',
    'pulseward validate --allow-unset imported.yaml',
  ],
  async run(parsed, { environment, stdout, stderr }) {
    const paths = [...(parsed.flags.get('config') ?? []), ...parsed.operands]
    const allowEmpty = switchValue(parsed, 'allow-empty')
    const allowUnset = switchValue(parsed, 'allow-unset')
    if (paths.length === 0) throw new UsageError('Name the fleet files to check: pulseward validate PATH…')
    const started = performance.now()
    const { definition, files, unset } = await loadFleet({
      paths,
      drivers: driverShapes,
      allowEmpty,
      allowUnset,
      environment,
    })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    stdout.write(
      `${counted(definition.count, 'monitor')} in ${counted(files.length, 'file')}: everything is right (${seconds} s).\n`,
    )
    stderr.write(silentNote(definition))
    for (const note of [...holeNotes(definition, Date.now()), ...placeNotes(definition)]) stderr.write(note)
    if (unset.length > 0) stdout.write(`Not set yet: ${unset.join(', ')}.\n`)
    return 0
  },
}

/** Empty if every enabled monitor has a destination for red. */
function silentNote(definition: LoadedFleet['definition']): string {
  const names = new PackedReader(definition.names)
  const first: string[] = []
  let count = 0
  for (const row of silentRows(definition)) if (count++ < mostNamed) first.push(names.get(row))
  if (count === 0) return ''
  const [tell, fail] = count === 1 ? ['tells', 'it fails'] : ['tell', 'they fail']
  const which = plain(someNamed(first, count))
  return `pulseward: note: ${counted(count, 'monitor')} ${tell} nobody when ${fail}: ${which}. Name a destination for red in notify, in defaults.notify or in a route.\n`
}
