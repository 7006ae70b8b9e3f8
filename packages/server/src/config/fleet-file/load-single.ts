// config/fleet-file/load-single.ts: loads a file with one monitor or one check, to try it out without a
// fleet. It becomes a fleet of one with the same validation and the same locations of mistakes. A fleet file
// with one monitor works too, and is the only form that can define credentials.
import { basename, extname } from 'node:path'
import type { Mistake } from '../shape/explain.ts'
import { show } from '../shape/words.ts'
import { mapReferences } from './credential-places.ts'
import { DefinitionBuilder } from './definition-builder.ts'
import { FleetFileError, type LoadedFleet, type LoadFleetOptions, loadFleet } from './load-fleet.ts'
import { locateMistakes } from './locate.ts'
import { MonitorValidator } from './monitor-validator.ts'
import { type FleetPiece, readYaml } from './read-yaml.ts'
import type { DriverShapes, MonitorDocument } from './schema.ts'
import { listSources, SourceError } from './source.ts'

export async function loadSingle(
  file: string,
  options: Pick<LoadFleetOptions, 'drivers' | 'environment'>,
): Promise<LoadedFleet> {
  const pieces = extname(file).toLowerCase() === '.ndjson' ? [] : await piecesOf(file)
  const [piece, ...others] = pieces
  const document = piece === undefined || others.length > 0 ? null : asFields(piece.document)
  if (piece === undefined || document === null || 'monitors' in document)
    return await onlyMonitor(file, options)
  const isCheck = 'type' in document && !('check' in document)
  const monitor = isCheck ? { name: basename(file), check: document } : document
  const mistakes = mistakesOf(monitor, options.drivers).map(({ path, message }) => ({
    chunk: piece.chunk,
    // The whole document is the check, so its paths do not begin with "check".
    path: isCheck && path[0] === 'check' ? path.slice(1) : path,
    message,
  }))
  if (mistakes.length > 0) throw new FleetFileError(await locateMistakes(mistakes, [file]))
  const builder = new DefinitionBuilder()
  builder.add(monitor as unknown as MonitorDocument)
  return {
    definition: builder.finish({}),
    credentials: new Map(),
    credentialSources: {},
    openRows: new Uint32Array(0),
    oneLine: [],
    pageFiles: [],
    unset: [],
    files: [file],
    placeOf: () => file,
  }
}

async function piecesOf(file: string): Promise<FleetPiece[]> {
  const [path] = await listSources([file])
  if (path !== file) throw new SourceError(`${file} is a folder; name a file with one monitor or one check.`)
  const pieces = await Array.fromAsync(readYaml(file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error
    throw new SourceError(`${file} cannot be read (${error.code}).`, { cause: error })
  })
  const mistakes = pieces.flatMap((piece) => piece.mistakes)
  if (mistakes.length > 0) throw new FleetFileError(await locateMistakes(mistakes, [file]))
  return pieces
}

async function onlyMonitor(
  file: string,
  options: Pick<LoadFleetOptions, 'drivers' | 'environment'>,
): Promise<LoadedFleet> {
  const loaded = await loadFleet({ ...options, paths: [file], allowEmpty: true })
  if (loaded.definition.count === 1) return loaded
  throw new SourceError(
    `${file} holds ${loaded.definition.count} monitors; it must hold one monitor or one check.`,
  )
}

function mistakesOf(monitor: object, drivers: DriverShapes): Mistake[] {
  const mistakes = new MonitorValidator(drivers).mistakes(monitor)
  if (mistakes !== null) return mistakes
  const { check } = monitor as MonitorDocument
  const found: Mistake[] = []
  mapReferences(drivers.checks[check.type]!.config, check.config ?? {}, ({ path, name }) => {
    const message = `there is no credential ${show(name)} in a file of one monitor; write it as a fleet file with credentials and monitors.`
    found.push({ path: ['check', 'config', ...path, 'credential'], message })
  })
  return found
}

function asFields(document: unknown): object | null {
  return typeof document === 'object' && document !== null && !Array.isArray(document) ? document : null
}
