// commands/import.ts: converts the configuration of another monitoring program into a fleet file. What cannot be carried
// over is listed on stderr by name and reason. Secrets become references, and their values are written only to --secrets.
import { counted, UsageError } from '@pulseward/server'
import { lastValue } from '../arguments.ts'
import type { Command } from '../command.ts'
import { readBlackbox } from '../import/blackbox/blackbox.ts'
import { readCpra } from '../import/cpra/cpra.ts'
import { type FinishedFleet, finishFleet } from '../import/finish-fleet.ts'
import type { FleetDraft } from '../import/fleet-draft.ts'
import { readGatus } from '../import/gatus/gatus.ts'
import { readGoalert } from '../import/goalert/goalert.ts'
import { readHealthchecks } from '../import/healthchecks/healthchecks.ts'
import { ImportError } from '../import/import-error.ts'
import { readUptimeKuma } from '../import/uptime-kuma/uptime-kuma.ts'
import { printFleet, requireValid, writeSecrets } from '../import/write-fleet.ts'
import type { Terminal, TextOutput } from '../terminal.ts'

interface Source {
  readonly mostFiles: number
  read(files: readonly string[]): Promise<FleetDraft>
}

const sources: Readonly<Record<string, Source>> = {
  'uptime-kuma': { mostFiles: 1, read: readUptimeKuma },
  healthchecks: { mostFiles: 1, read: readHealthchecks },
  gatus: { mostFiles: 1, read: readGatus },
  // Modules and targets are in the files of two programs.
  blackbox: { mostFiles: 2, read: readBlackbox },
  cpra: { mostFiles: 1, read: readCpra },
  // Each is a page of the answer.
  goalert: { mostFiles: 100, read: readGoalert },
}
const kinds = Object.keys(sources)

export const importFleet: Command = {
  summary: 'move in from Uptime Kuma, Healthchecks, Gatus and others',
  usage: `${kinds.join('|')} FILE [--secrets FILE] > fleet.yaml`,
  flags: {
    secrets: {
      kind: 'value',
      valueName: 'FILE',
      summary: 'A new file for the values of secrets: NAME=value, mode 0600.',
    },
  },
  examples: [
    'pulseward import uptime-kuma kuma.db --secrets fleet.env > fleet.yaml',
    'pulseward import gatus config.yaml > fleet.yaml',
    'pulseward import blackbox blackbox.yml prometheus.yml > fleet.yaml',
  ],
  firstWords: kinds,
  async run(parsed, terminal) {
    const [kind = '', ...files] = parsed.operands
    const source = Object.hasOwn(sources, kind) ? sources[kind] : undefined
    if (source === undefined || files.length === 0)
      throw new UsageError(`Name a program and a file: pulseward import ${kinds.join('|')} FILE`)
    if (files.length > source.mostFiles)
      throw new UsageError(
        `${kind}: ${counted(source.mostFiles, 'file')} can be read at a time, not ${files.length}.`,
      )
    try {
      await carryOver(
        { kind, draft: await source.read(files), secretsFile: lastValue(parsed, 'secrets') },
        terminal,
      )
      return 0
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      terminal.stderr.write(`pulseward: ${error.message}\n`)
      return 1
    }
  },
}

interface Carrying {
  readonly kind: string
  readonly draft: FleetDraft
  readonly secretsFile: string | null
}

async function carryOver(
  { kind, draft, secretsFile }: Carrying,
  { stdout, stderr }: Terminal,
): Promise<void> {
  const fleet = finishFleet(draft)
  const notes = draft.notes.lines()
  const parts = carriedParts(fleet, draft)
  if (parts.length === 0) {
    printNotes(notes, stderr)
    throw new ImportError('There is no monitor that could be carried over; nothing was written.')
  }
  await requireValid(fleet)
  if (secretsFile !== null) await writeSecrets(secretsFile, fleet.variables)
  await printFleet(fleet, kind, stdout)
  printNotes(notes, stderr)
  printVariables(fleet, secretsFile, stderr)
  stderr.write(`pulseward: ${parts.join(', ')} carried over.\n`)
}

/** What a fleet file is worth writing for. */
function carriedParts({ monitors }: FinishedFleet, { people, schedules, policies }: FleetDraft): string[] {
  const counts = [
    [monitors.length, 'monitor', 'monitors'],
    [people.size, 'person', 'people'],
    [schedules.size, 'schedule', 'schedules'],
    [policies.size, 'policy', 'policies'],
  ] as const
  return counts.flatMap(([count, noun, plural]) =>
    count === 0 ? [] : `${count} ${count === 1 ? noun : plural}`,
  )
}

function printNotes(notes: readonly string[], stderr: TextOutput): void {
  if (notes.length > 0)
    stderr.write(`Not carried over as it was:\n${notes.map((note) => `  ${note}\n`).join('')}`)
}

function printVariables({ variables }: FinishedFleet, secretsFile: string | null, stderr: TextOutput): void {
  if (variables.length === 0) return
  const lines = variables.map(({ name, value, madeOf }) => {
    const origin = madeOf.length === 0 ? '' : `, put together from ${madeOf.join(', ')}`
    return `  ${name}${origin}${secretsFile !== null && value !== null ? ` (in ${secretsFile})` : ''}\n`
  })
  stderr.write(`Variables to set for the service that loads the file:\n${lines.join('')}`)
}
