// config/fleet-file/load-fleet.ts: loads a validated fleet from paths, or returns everything that is wrong
// with it. Reads every file to its end before it gives up, so that one run shows all mistakes.
import { extname } from 'node:path'
import { grown } from '../../platform/column.ts'
import { counted } from '../../platform/wording.ts'
import type { Mistake } from '../shape/explain.ts'
import type { Path } from '../shape/shape.ts'
import { mapReferences } from './credential-places.ts'
import { openValueMistakes, unfitting, unmet, valueMistakes } from './credential-values.ts'
import { type CredentialSource, type Credentials, readCredential } from './credentials.ts'
import type { FleetDefinition } from './definition.ts'
import { DefinitionBuilder } from './definition-builder.ts'
import type { FileDigests } from './file-digest.ts'
import { checkFleetRules } from './fleet-rules.ts'
import { HeadMerger } from './head.ts'
import { locateMistakes } from './locate.ts'
import { MonitorValidator } from './monitor-validator.ts'
import { readNdjson } from './read-ndjson.ts'
import { readYaml } from './read-yaml.ts'
import { missingName } from './reference-words.ts'
import { salvage } from './salvage.ts'
import type { DriverShape, DriverShapes, MonitorDocument } from './schema.ts'
import {
  formatPath,
  type LocatedMistake,
  listSources,
  type SourceChunk,
  SourceError,
  type SourceMistake,
} from './source.ts'
import type { PageFile } from './status-page-files.ts'

export interface LoadFleetOptions {
  readonly paths: readonly string[]
  readonly drivers: DriverShapes
  readonly allowEmpty: boolean
  readonly environment: NodeJS.ProcessEnv
  /** Accepts credentials without values, for validation only: such a fleet cannot run. */
  readonly allowUnset?: boolean
  /** Receives all bytes of all files. */
  readonly digests?: FileDigests
}

export interface LoadedFleet {
  readonly definition: FleetDefinition
  readonly credentials: Credentials
  readonly files: readonly string[]
  /** Where the values of credentials come from. */
  readonly credentialSources: Readonly<Record<string, CredentialSource>>
  /** Monitors whose check uses credentials outside secret fields. Whether they are valid depends on the values. */
  readonly openRows: Uint32Array
  /** Credentials used by monitors whose values must be one line. */
  readonly oneLine: readonly string[]
  /** What its status pages were made from, beside the files. */
  readonly pageFiles: readonly PageFile[]
  /** Variables and files without a value; empty unless `allowUnset` is set. */
  readonly unset: readonly string[]
  /** Where the monitor is defined: file and line, or file and path. */
  placeOf(row: number): string
}

/** The fleet is invalid. Lists every mistake with file, line and path. */
export class FleetFileError extends Error {
  readonly code = 'fleet_invalid'
  readonly mistakes: readonly LocatedMistake[]
  constructor(mistakes: readonly LocatedMistake[]) {
    super(`the fleet has ${counted(mistakes.length, 'mistake')}`)
    this.mistakes = mistakes
  }
}

export async function loadFleet(options: LoadFleetOptions): Promise<LoadedFleet> {
  const files = await listSources(options.paths)
  const loading = new Loading(options)
  for (const file of files) await loading.read(file)
  const credentials = loading.validateWhole()
  if (loading.mistakes.length > 0) throw new FleetFileError(await locateMistakes(loading.mistakes, files))
  const definition = loading.finish()
  if (definition.count === 0 && !options.allowEmpty) {
    throw new SourceError(
      `No monitors are defined in ${options.paths.join(', ')}; pass --allow-empty if that is meant.`,
    )
  }
  const { credentialSources, openRows, oneLine, pageFiles, unset } = loading
  return {
    definition,
    credentials,
    credentialSources,
    openRows,
    oneLine,
    pageFiles,
    unset,
    files,
    placeOf: (row) => loading.placeOf(row),
  }
}

class Loading {
  readonly mistakes: SourceMistake[] = []
  readonly unset: string[] = []
  readonly #options: LoadFleetOptions
  readonly #validator: MonitorValidator
  readonly #builder = new DefinitionBuilder()
  readonly #heads: HeadMerger
  readonly #places = new RowPlaces()
  // A document that could not be read may define names that others refer to, so missing names are not reported then.
  #headIsComplete = true
  #monitorsAreComplete = true
  /** Credential references of monitors, checked when all credentials are known. */
  readonly #references: {
    row: number
    path: Path
    name: string
    oneLine: boolean
    pushKey: boolean
  }[] = []
  /** Options with references outside secret fields, checked when all values are known. */
  readonly #withOpenReferences: { row: number; part: string; shape: DriverShape; config: object }[] = []

  readonly #onBytes = (bytes: Uint8Array) => this.#options.digests?.add(bytes)

  constructor(options: LoadFleetOptions) {
    this.#options = options
    this.#validator = new MonitorValidator(options.drivers)
    this.#heads = new HeadMerger(options.drivers)
  }

  get credentialSources(): Readonly<Record<string, CredentialSource>> {
    return this.#heads.head.credentials ?? {}
  }

  get openRows(): Uint32Array {
    return Uint32Array.from(
      this.#withOpenReferences.flatMap(({ row, part }) => (part === 'check' ? row : [])),
    )
  }

  get oneLine(): string[] {
    return [...new Set(this.#references.flatMap(({ name, oneLine }) => (oneLine ? name : [])))]
  }

  get pageFiles(): readonly PageFile[] {
    return this.#heads.pageFiles
  }

  async read(file: string): Promise<void> {
    this.#options.digests?.begin(file)
    try {
      if (extname(file).toLowerCase() === '.ndjson') await this.#readLines(file)
      else await this.#readDocuments(file)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === undefined) throw error
      throw new SourceError(`${file} cannot be read (${code}).`, { cause: error })
    }
  }

  async #readLines(file: string): Promise<void> {
    for await (const { chunk, monitors, mistakes } of readNdjson(file, this.#onBytes)) {
      for (const mistake of mistakes) this.mistakes.push(mistake)
      // A mistake about the whole line means that the line could not be read.
      if (mistakes.some(({ path }) => path.length === 1)) this.#monitorsAreComplete = false
      this.#addAll(chunk, monitors, [])
    }
  }

  async #readDocuments(file: string): Promise<void> {
    for await (const { chunk, document, monitors, mistakes } of readYaml(file, this.#onBytes)) {
      for (const mistake of mistakes) this.mistakes.push(mistake)
      if (document !== undefined) this.#heads.add(chunk, document)
      else if (chunk.kind === 'document') this.#headIsComplete = false
      if (mistakes.length > 0 && monitors.length === 0) this.#monitorsAreComplete = false
      this.#addAll(chunk, monitors, chunk.kind === 'document' ? ['monitors'] : [])
    }
  }

  #addAll(chunk: SourceChunk, monitors: readonly unknown[], prefix: Path): void {
    const place = this.#places.open(chunk, prefix)
    for (let item = 0; item < monitors.length; item++) {
      const monitor = monitors[item]
      if (monitor === undefined) continue
      const mistakes = this.#validator.mistakes(monitor, chunk.kind === 'lines')
      if (mistakes === null) this.#add(monitor as MonitorDocument, place, item)
      else {
        for (const mistake of mistakes)
          this.mistakes.push({ ...mistake, chunk, path: [...prefix, item, ...mistake.path] })
        this.#addRefused(monitor, mistakes, place, item)
      }
    }
  }

  /** The valid parts of a refused monitor still take part in the rules of the whole fleet. */
  #addRefused(monitor: unknown, mistakes: readonly Mistake[], place: number, item: number): void {
    const right = salvage(monitor, mistakes) as Partial<MonitorDocument> | null
    if (right === null) {
      this.#monitorsAreComplete = false
      return
    }
    const { name = '', check } = right
    const isNamed = right.id !== undefined || (!('id' in right) && name !== '')
    // Ids in fleet files contain no spaces, so this one cannot collide.
    const identity = isNamed ? {} : { id: `refused ${this.mistakes.length}` }
    // No rule of the whole fleet is about windows, and these may be incomplete.
    const rest = { ...identity, maintenance: [] }
    this.#add({ ...right, name, check: { ...check, type: check?.type ?? '' }, ...rest }, place, item)
  }

  #add(monitor: MonitorDocument, place: number, item: number): void {
    const row = this.#builder.add(monitor, this.#places.fileOf(place))
    if (row === -1) {
      const { chunk, path } = this.#places.resolve(place, item)
      const key = monitor.id === undefined ? 'name' : 'id'
      const other = key === 'id' ? 'another id' : 'another name, or an id'
      const message = `${JSON.stringify(monitor[key])} is the ${key} of another monitor; give this one ${other}.`
      this.mistakes.push({ chunk, path: [...path, key], message })
      return
    }
    this.#places.set(row, place, item)
    this.#collectReferences(row, 'check', monitor.check, this.#options.drivers.checks)
    if (monitor.recovery)
      this.#collectReferences(row, 'recovery', monitor.recovery, this.#options.drivers.recoveries)
  }

  #collectReferences(
    row: number,
    part: string,
    driver: { type: string; config?: object },
    shapes: DriverShapes['checks'],
  ): void {
    const shape = shapes[driver.type]
    if (shape === undefined || driver.config === undefined || !mayHoldSecret(driver.config)) return
    let isOpen = false
    mapReferences(
      shape.config,
      driver.config,
      ({ path, name, isSecret, oneLine = false, pushKey = false }) => {
        const place = [part, 'config', ...path, 'credential']
        this.#references.push({ row, path: place, name, oneLine, pushKey })
        isOpen ||= !isSecret
      },
    )
    if (isOpen) this.#withOpenReferences.push({ row, part, shape, config: driver.config })
  }

  /** Checks the rules that need the whole fleet, once everything is read. */
  validateWhole(): Credentials {
    for (const mistake of this.#heads.mistakes) this.mistakes.push(mistake)
    const credentials = this.#readCredentials()
    if (this.#headIsComplete) this.#checkReferences()
    this.#checkValues(credentials)
    checkFleetRules({
      builder: this.#builder,
      heads: this.#heads,
      headIsComplete: this.#headIsComplete,
      monitorsAreComplete: this.#monitorsAreComplete,
      sayRow: (row, path, message) => this.#sayRow(row, path, message),
      sayHead: (entry, path, message) => this.#sayHead(entry, path, message),
    })
    return credentials
  }

  /** Only for a fleet without mistakes. */
  finish(): FleetDefinition {
    return this.#builder.finish(this.#heads.head)
  }

  placeOf(row: number): string {
    const { chunk, path } = this.#places.of(row)
    const isLine = chunk.kind === 'lines'
    return `${chunk.file}:${isLine ? chunk.firstLine + Number(path[0]) : ` ${formatPath(chunk, path)}`}`
  }

  #readCredentials(): Credentials {
    const credentials = new Map<string, string>()
    for (const [name, source] of Object.entries(this.#heads.head.credentials ?? {})) {
      if (Object.values<unknown>(source ?? { refused: undefined }).includes(undefined)) continue
      const read = readCredential(source, this.#options.environment)
      if ('value' in read) credentials.set(name, read.value)
      else if (read.isUnset && this.#options.allowUnset) this.unset.push(source.env ?? source.file ?? name)
      else this.#sayHead(`credentials.${name}`, read.path, read.message)
    }
    return credentials
  }

  #checkReferences(): void {
    const known = this.#heads.head.credentials ?? {}
    const missing = (name: string) => missingName('credential', name, Object.keys(known))
    for (const { row, path, name } of this.#references) {
      if (!Object.hasOwn(known, name)) this.#sayRow(row, path, missing(name))
    }
    for (const [endpoint, written] of Object.entries(this.#heads.head.endpoints ?? {})) {
      const shape = this.#options.drivers.notifiers[written?.type]
      if (shape === undefined) continue
      mapReferences(shape.config, written.config ?? {}, ({ path, name }) => {
        if (!Object.hasOwn(known, name))
          this.#sayHead(`endpoints.${endpoint}`, ['config', ...path, 'credential'], missing(name))
      })
    }
  }

  /** Checks options with values filled in, if everything else is valid: other mistakes are already reported. */
  #checkValues(credentials: Credentials): void {
    if (this.mistakes.length > 0) return
    const readValue = (name: string) => credentials.get(name) ?? null
    for (const { row, path, name, ...marks } of this.#references) {
      const expected = unmet(marks, readValue(name))
      if (expected !== null) this.#sayRow(row, path.slice(0, -1), unfitting(name, expected))
    }
    this.#checkKeys(credentials)
    for (const { row, part, shape, config } of this.#withOpenReferences)
      for (const { path, message } of openValueMistakes(shape, config, readValue))
        this.#sayRow(row, [part, 'config', ...path], message)
    for (const [endpoint, { type, config = {} }] of Object.entries(this.#heads.head.endpoints ?? {})) {
      const shape = this.#options.drivers.notifiers[type]
      if (shape === undefined) continue
      for (const { path, message } of valueMistakes(shape, config, readValue))
        this.#sayHead(`endpoints.${endpoint}`, ['config', ...path], message)
    }
  }

  /** A key says which monitor a signal is for. */
  #checkKeys(credentials: Credentials): void {
    const rowOfKey = new Map<string, number>()
    for (const { row, path, name, pushKey } of this.#references) {
      const key = pushKey ? credentials.get(name) : undefined
      if (key === undefined) continue
      const other = rowOfKey.get(key)
      rowOfKey.set(key, row)
      if (other === undefined) continue
      const whose = other === row ? 'this monitor already' : `the monitor ${this.#builder.idOf(other)}`
      this.#sayRow(row, path.slice(0, -1), `has the same value as a key of ${whose}; give each its own.`)
    }
  }

  #sayRow(row: number, path: Path, message: string): void {
    const place = this.#places.of(row)
    this.mistakes.push({ chunk: place.chunk, path: [...place.path, ...path], message })
  }

  #sayHead(entry: string, path: Path, message: string): void {
    const origin = this.#heads.originOf(entry)
    this.mistakes.push({ chunk: origin.chunk, path: [...origin.path, ...path], message })
  }
}

/** Any nested object may be a reference. Nearly all configurations are flat and need no closer look. */
function mayHoldSecret(config: object): boolean {
  for (const key in config) {
    if (typeof (config as Record<string, unknown>)[key] === 'object') return true
  }
  return false
}

/** Where each row was read: a chunk and an item, eight bytes per monitor. */
class RowPlaces {
  readonly #chunks: { chunk: SourceChunk; prefix: Path }[] = []
  #chunkOf = new Uint32Array(1024)
  #itemOf = new Uint32Array(1024)

  open(chunk: SourceChunk, prefix: Path): number {
    return this.#chunks.push({ chunk, prefix }) - 1
  }

  set(row: number, place: number, item: number): void {
    if (row >= this.#chunkOf.length) {
      this.#chunkOf = grown(this.#chunkOf, row * 2)
      this.#itemOf = grown(this.#itemOf, row * 2)
    }
    this.#chunkOf[row] = place
    this.#itemOf[row] = item
  }

  of(row: number): { chunk: SourceChunk; path: Path } {
    return this.resolve(this.#chunkOf[row]!, this.#itemOf[row]!)
  }

  fileOf(place: number): string {
    return this.#chunks[place]!.chunk.file
  }

  resolve(place: number, item: number): { chunk: SourceChunk; path: Path } {
    const { chunk, prefix } = this.#chunks[place]!
    return { chunk, path: [...prefix, item] }
  }
}
