// fleet/fleet-files.ts: loads fleet files that a test writes, and shows the result: mistakes as the command
// prints them, monitors as plain objects.
import { driverShapes } from '@pulseward/server/internal/config/driver-shapes.ts'
import type { FleetDefinition, Shared } from '@pulseward/server/internal/config/fleet-file/definition.ts'
import { DefinitionBuilder } from '@pulseward/server/internal/config/fleet-file/definition-builder.ts'
import {
  FleetFileError,
  type LoadedFleet,
  loadFleet,
} from '@pulseward/server/internal/config/fleet-file/load-fleet.ts'
import type { FleetHead, MonitorDocument } from '@pulseward/server/internal/config/fleet-file/schema.ts'
import { PackedReader } from '@pulseward/server/internal/platform/packed-strings.ts'
import { type FileContents, temporaryFolder } from '../files/temporary-folder.ts'

export interface FleetFileOptions {
  readonly environment?: NodeJS.ProcessEnv
  readonly allowEmpty?: boolean
}

/** Files by path; a single text is fleet.yaml. */
type Files = FileContents | string | Uint8Array

export async function loadFleetFiles(files: Files, options: FleetFileOptions = {}): Promise<LoadedFleet> {
  const isOne = typeof files === 'string' || files instanceof Uint8Array
  using folder = temporaryFolder(isOne ? { 'fleet.yaml': files } : files)
  const { environment = {}, allowEmpty = true } = options
  try {
    return await loadFleet({ paths: [folder.root], drivers: driverShapes, environment, allowEmpty })
  } catch (error) {
    if (error instanceof FleetFileError)
      throw new FleetFileError(
        error.mistakes.map((mistake) => ({ ...mistake, file: mistake.file.slice(folder.root.length + 1) })),
      )
    throw error
  }
}

/** Every mistake as `line: path: message`, preceded by the file if there are several; empty if there are none. */
export async function mistakesIn(files: Files, options: FleetFileOptions = {}): Promise<string[]> {
  const isOne = typeof files === 'string' || files instanceof Uint8Array || Object.keys(files).length === 1
  try {
    await loadFleetFiles(files, options)
    return []
  } catch (error) {
    if (!(error instanceof FleetFileError)) throw error
    return error.mistakes.map(
      ({ file, line, path, message }) =>
        `${isOne ? '' : `${file}:`}${line}: ${path === '' ? '' : `${path}: `}${message}`,
    )
  }
}

/** The definition of valid monitors, without files and without validation. */
export function definitionOf(monitors: readonly MonitorDocument[], head: FleetHead = {}): FleetDefinition {
  const builder = new DefinitionBuilder()
  for (const monitor of monitors) builder.add(monitor)
  return builder.finish(head)
}

export interface MonitorAsLoaded {
  readonly id: string
  readonly name: string
  readonly config: unknown
  readonly [part: string]: unknown
}

/** The monitor in each row of a definition, with all its fields. */
export function monitorsOf(definition: FleetDefinition): MonitorAsLoaded[] {
  const ids = new PackedReader(definition.ids)
  const names = new PackedReader(definition.names)
  const configs = new PackedReader(definition.configs)
  const valueIn = <Value>({ values, of }: Shared<Value>, row: number) => values[of[row]!]
  return Array.from({ length: definition.count }, (_, row) => ({
    id: ids.get(row),
    name: names.get(row),
    config: JSON.parse(configs.get(row) || 'null'),
    policy: valueIn(definition.policies, row),
    recovery: valueIn(definition.recoveries, row),
    notify: valueIn(definition.notifications, row),
    maintenance: valueIn(definition.maintenance, row),
    tags: valueIn(definition.tags, row),
    labels: valueIn(definition.labels, row),
    dependencies: valueIn(definition.dependencies, row),
  }))
}
