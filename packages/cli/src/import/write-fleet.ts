// import/write-fleet.ts: writes a finished fleet as block YAML, and the values of its secrets. Before
// anything is written, the whole fleet is loaded as the service would load it.
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { driverShapes, FleetFileError, loadFleet, UsageError } from '@pulseward/server'
import { BufferedOutput } from '../buffered-output.ts'
import { fleetYaml, indented } from '../fleet-yaml.ts'
import type { TextOutput } from '../terminal.ts'
import type { FinishedFleet } from './finish-fleet.ts'
import type { Variable } from './secrets.ts'

/**
 * Rejects if the fleet is invalid, which would be a bug of the import: every part has been validated. It is
 * loaded as lines of JSON, since a large fleet took three to four times as long in YAML.
 */
export async function requireValid({ head, monitors }: FinishedFleet): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-import-'))
  try {
    const paths = [join(folder, 'head.json'), join(folder, 'monitors.ndjson')] as const
    await writeFile(paths[0], JSON.stringify(head), { mode: 0o600 })
    await writeFile(paths[1], jsonLines(monitors), { mode: 0o600 })
    await loadFleet({ paths, drivers: driverShapes, environment: {}, allowEmpty: true, allowUnset: true })
  } catch (error) {
    if (!(error instanceof FleetFileError)) throw error
    const paths = error.mistakes.map(({ path }) => path).slice(0, 5)
    throw new Error(`the import made a fleet that is not valid: ${paths.join(', ')}`, { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const monitorsAtOnce = 500

function* jsonLines(monitors: FinishedFleet['monitors']): Generator<string> {
  for (let from = 0; from < monitors.length; from += monitorsAtOnce)
    yield monitors
      .slice(from, from + monitorsAtOnce)
      .map((monitor) => `${JSON.stringify(monitor)}\n`)
      .join('')
}

export async function printFleet(
  { head, monitors }: FinishedFleet,
  kind: string,
  stdout: TextOutput,
): Promise<void> {
  await using output = new BufferedOutput(stdout)
  const start = monitors.length === 0 ? 'monitors: []' : 'monitors:'
  await output.write(`# Made by pulseward import ${kind}.\n${fleetYaml(head)}${start}\n`)
  for (let from = 0; from < monitors.length; from += monitorsAtOnce)
    await output.write(indented(fleetYaml(monitors.slice(from, from + monitorsAtOnce))))
}

/** NAME=value lines, as a shell and systemd read them. Throws a UsageError if the file exists. */
export async function writeSecrets(file: string, variables: readonly Variable[]): Promise<void> {
  const lines = variables.map(({ name, value, madeOf }) => {
    if (value !== null) return `${name}=${quoted(value)}\n`
    return madeOf.length === 0 ? `# ${name}=\n` : `# ${name}= (put together from ${madeOf.join(', ')})\n`
  })
  try {
    await using handle = await open(file, 'wx', 0o600)
    await handle.writeFile(lines.join(''))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const problem =
      code === 'EEXIST' ? 'exists already; it is not overwritten' : `cannot be written (${code})`
    throw new UsageError(`--secrets: ${file} ${problem}. Nothing was imported.`, { cause: error })
  }
}

/**
 * Double-quoted, with the escapes that a shell and systemd both support. They read single quotes within
 * single-quoted text differently.
 */
function quoted(value: string): string {
  return /^[\w.,:/@%+=-]+$/.test(value) ? value : `"${value.replace(/[\\"$`]/g, '\\$&')}"`
}
