// config/fleet-file/head.ts: merges everything but the monitors of all documents. Several files make one
// fleet: maps and lists are joined, defaults may be given once, and a duplicate name is a mistake.

import { type Mistake, mistakesOf } from '../shape/explain.ts'
import type { Path } from '../shape/shape.ts'
import { placeMistakes, timingMistakes } from './monitor-rules.ts'
import { endpointMistakes } from './monitor-validator.ts'
import { onCallMistakes } from './on-call-rules.ts'
import { salvage } from './salvage.ts'
import { type DriverShapes, type FleetHead, FleetHeadSchema } from './schema.ts'
import type { SourceChunk, SourceMistake } from './source.ts'
import { type PageFile, withPageFiles } from './status-page-files.ts'
import { badgeMistakes, statusPageMistakes } from './status-page-rules.ts'
import type { BadgeDocument, StatusPageDocument } from './status-page-schema.ts'

/** Where an entry of the merged head was written. */
export interface Origin {
  readonly chunk: SourceChunk
  readonly path: Path
}

const named = [
  'credentials',
  'endpoints',
  'groups',
  'people',
  'schedules',
  'policies',
  'status_pages',
  'badges',
] as const

export class HeadMerger {
  readonly head: FleetHead = {
    credentials: {},
    endpoints: {},
    groups: {},
    people: {},
    schedules: {},
    policies: {},
    status_pages: {},
    badges: {},
    routes: [],
  }
  readonly mistakes: SourceMistake[] = []
  /** What status pages were made from, beside the fleet files. */
  readonly pageFiles: PageFile[] = []
  readonly #drivers: DriverShapes
  readonly #origins = new Map<string, Origin>()

  constructor(drivers: DriverShapes) {
    this.#drivers = drivers
  }

  /** Where `endpoints.ops`, `routes.3` or `defaults` was written. */
  originOf(entry: string): Origin {
    const origin = this.#origins.get(entry)
    if (origin === undefined) throw new Error(`${entry} was not read from a file`)
    return origin
  }

  add(chunk: SourceChunk, document: unknown): void {
    const mistakes = isResource(document) ? [resourceOfV2] : mistakesOf(FleetHeadSchema, document)
    for (const mistake of mistakes) this.#say(chunk, mistake)
    const right = mistakes.length === 0 ? document : salvage(withoutMonitors(document), mistakes)
    if (right !== null) this.#merge(chunk, right as FleetHead)
  }

  #merge(chunk: SourceChunk, document: FleetHead): void {
    for (const section of named) this.#mergeNamed(chunk, section, document)
    for (const [index, route] of (document.routes ?? []).entries()) {
      this.#requireNewId(chunk, route.id, index)
      this.#origins.set(`routes.${this.head.routes!.length}`, { chunk, path: ['routes', index] })
      this.head.routes!.push(route)
    }
    if (document.defaults !== undefined) this.#mergeDefaults(chunk, document.defaults)
  }

  #requireNewId(chunk: SourceChunk, id: string | undefined, index: number): void {
    const known = id === undefined ? -1 : this.head.routes!.findIndex((route) => route.id === id)
    if (known === -1) return
    const other = this.originOf(`routes.${known}`).chunk.file
    this.#say(chunk, { path: ['routes', index, 'id'], message: `"${id}" is already defined in ${other}.` })
  }

  #mergeNamed(chunk: SourceChunk, section: (typeof named)[number], document: FleetHead): void {
    const merged = this.head[section] as Record<string, unknown>
    for (const [name, value] of Object.entries(document[section] ?? {})) {
      const path = [section, name]
      if (Object.hasOwn(merged, name)) {
        const other = this.originOf(`${section}.${name}`).chunk.file
        this.#say(chunk, { path, atKey: true, message: `"${name}" is already defined in ${other}.` })
        continue
      }
      merged[name] = section === 'status_pages' ? this.#withFiles(chunk, path, value) : value
      this.#origins.set(`${section}.${name}`, { chunk, path })
      if (section === 'endpoints')
        for (const mistake of endpointMistakes(this.#drivers, value, path)) this.#say(chunk, mistake)
      // One that was refused as a whole is there without a value.
      if (value === undefined) continue
      for (const mistake of mistakesInEntry(section, merged[name]))
        this.#say(chunk, { ...mistake, path: [...path, ...mistake.path] })
    }
  }

  #withFiles(chunk: SourceChunk, at: Path, value: unknown): unknown {
    if (value === undefined) return value
    const { page, files, mistakes } = withPageFiles(value as StatusPageDocument, chunk.file)
    this.pageFiles.push(...files)
    for (const { path, message } of mistakes) this.#say(chunk, { path: [...at, ...path], message })
    return page
  }

  #mergeDefaults(chunk: SourceChunk, defaults: NonNullable<FleetHead['defaults']>): void {
    if (this.head.defaults !== undefined) {
      const other = this.originOf('defaults').chunk.file
      this.#say(chunk, {
        path: ['defaults'],
        atKey: true,
        message: `defaults are already given in ${other}; a fleet has one set.`,
      })
      return
    }
    this.head.defaults = defaults
    this.#origins.set('defaults', { chunk, path: ['defaults'] })
    const say = (key: string, message: string) =>
      this.#say(chunk, { path: ['defaults', 'check', key], message })
    timingMistakes(defaults.check ?? {}, say)
    placeMistakes(defaults.check ?? {}, say)
  }

  #say(chunk: SourceChunk, mistake: Mistake): void {
    this.mistakes.push({ chunk, ...mistake })
  }
}

function mistakesInEntry(section: string, entry: unknown): Mistake[] {
  if (section === 'status_pages') return statusPageMistakes(entry as StatusPageDocument)
  return section === 'badges' ? badgeMistakes(entry as BadgeDocument) : onCallMistakes(section, entry)
}

const resourceOfV2: Mistake = {
  path: [],
  message: 'is a resource of v2, not a fleet file; send it to the service with `pulseward apply -f`.',
}

function isResource(document: unknown): boolean {
  return typeof document === 'object' && document !== null && 'apiVersion' in document && 'kind' in document
}

/** There may be many monitors, and they are validated elsewhere. */
function withoutMonitors(document: unknown): unknown {
  const isMapping = typeof document === 'object' && document !== null && !Array.isArray(document)
  return isMapping ? { ...document, monitors: undefined } : document
}
