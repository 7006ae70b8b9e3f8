// commands/validate.ts: checks fleet files and prints everything that is wrong with them.
import {
  counted,
  driverShapes,
  type LoadedFleet,
  LocalTime,
  loadFleet,
  PackedReader,
  scheduleHoles,
  silentRows,
  UsageError,
} from '@pulseward/server'
import { switchValue } from '../client/flag-values.ts'
import { plain } from '../client/plain-text.ts'
import { mostNamed, someNamed } from '../client/some-named.ts'
import type { Command } from '../command.ts'

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
    for (const note of holeNotes(definition)) stderr.write(note)
    if (unset.length > 0) stdout.write(`Not set yet: ${unset.join(', ')}.\n`)
    return 0
  },
}

/** More holes of one schedule are counted. */
const mostHoles = 5

/** When a schedule that a policy uses has nobody, in the eight weeks from now. */
function holeNotes(definition: LoadedFleet['definition']): string[] {
  const holes = Map.groupBy(scheduleHoles(definition, Date.now()), ({ schedule }) => schedule)
  return Array.from(holes, ([schedule, all]) => {
    const shown = all.slice(0, mostHoles).map(({ timezone, fromMs, untilMs }) => {
      const zone = LocalTime.of(timezone)
      const [from, until] = [fromMs, untilMs].map((at) => wallClock(zone, at))
      return `from ${from} to ${until} (${timezone})`
    })
    const more = all.length > mostHoles ? `, and ${counted(all.length - mostHoles, 'more time')}` : ''
    return `pulseward: note: nobody is on call by the schedule ${plain(schedule)} ${shown.join(', ')}${more}. Add a layer or an override, or leave it to the next step of the policy.\n`
  })
}

/** Such as 2026-03-29 03:00, on the clocks of the zone. */
function wallClock(zone: LocalTime, atMs: number): string {
  return new Date(zone.localMs(atMs)).toISOString().slice(0, 16).replace('T', ' ')
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
