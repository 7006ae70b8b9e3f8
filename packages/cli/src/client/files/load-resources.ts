// client/files/load-resources.ts: the resources of files, each with its location. Files are streamed, so a collection of
// a million needs no more memory than a hash of each id; a caller that needs the resources twice reads them twice. Fleet
// files are the exception: a monitor in them depends on all of them, so they are read whole and kept packed.
import { v2 } from '@pulseward/contract'
import { driverShapes, FleetFileError, fleetResources, type LoadedFleet, loadFleet } from '@pulseward/server'
import { documentsOf, type SourceDocument } from './documents.ts'
import { KeySet } from './key-set.ts'
import { locate } from './locate.ts'
import {
  fieldOf,
  type LocatedMistake,
  type Mistake,
  MistakeList,
  type Path,
  pathIn,
  ResourceFileError,
} from './mistake.ts'
import { parseYaml, UnreadableText } from './parse-value.ts'
import type { Source, Sources } from './sources.ts'
import { mistakesOf } from './validate-resource.ts'

export interface LoadedResource {
  /** Kind and id; unique within the collection. */
  readonly key: string
  /** File and line. */
  readonly source: string
  readonly resource: v2.Resource
}

/** A value that may be a resource, and its location. */
interface Candidate {
  /** Null for a valid resource of a fleet file. */
  readonly document: SourceDocument | null
  readonly path: Path
  readonly value: unknown
  readonly source: string
}

/** A candidate whose key may have occurred before. */
interface Suspect {
  readonly key: string
  readonly candidate: Candidate
  readonly ordinal: number
}

/** Only deep folders make a source longer than this; its beginning is cut off. */
const mostSourceCharacters = 1024

export class ResourceFiles implements Disposable {
  readonly #sources: Sources
  readonly #fleet: LoadedFleet | null

  private constructor(sources: Sources, fleet: LoadedFleet | null) {
    this.#sources = sources
    this.#fleet = fleet
  }

  /** Takes ownership of the sources. Throws a ResourceFileError for invalid fleet files. */
  static async open(sources: Sources, environment: NodeJS.ProcessEnv): Promise<ResourceFiles> {
    try {
      const fleet = await fleetIn(
        sources.all.filter(({ isFleet }) => isFleet),
        environment,
      )
      sources.forgetNames()
      return new ResourceFiles(sources, fleet)
    } catch (error) {
      sources[Symbol.dispose]()
      throw error
    }
  }

  /** Fleet files do not name their routes, so their ids come from their places. */
  get hasRoutes(): boolean {
    return (this.#fleet?.definition.routes.length ?? 0) > 0
  }

  /** Throws at the end, with all mistakes: nothing of an invalid collection may be sent before that. */
  async *checked(): AsyncGenerator<IteratorObject<LoadedResource>, void, undefined> {
    const mistakes = new MistakeList()
    const keys = new KeySet()
    const suspects: Suspect[] = []
    let ordinal = 0
    const right = (candidate: Candidate): LoadedResource[] => {
      ordinal++
      const wrong = candidate.document === null ? [] : mistakesOf(candidate.value)
      if (wrong.length > 0) {
        mistakes.add(located(candidate, wrong))
        return []
      }
      const loaded = loadedOf(candidate)
      if (!keys.add(loaded.key)) suspects.push({ key: loaded.key, candidate, ordinal })
      return mistakes.count === 0 ? [loaded] : []
    }
    for await (const candidates of this.#candidates(mistakes)) {
      if (suspects.length > MistakeList.most) break
      yield candidates.flatMap(right)
    }
    mistakes.add(await this.#repeated(suspects))
    if (mistakes.count > 0) throw mistakes.error(this.#sources.all.map(({ name }) => name))
  }

  /** Reads the validated resources again. The caller checks that they have not changed. */
  async *again(): AsyncGenerator<IteratorObject<LoadedResource>, void, undefined> {
    for await (const candidates of this.#candidates(null)) yield candidates.map(loadedOf)
  }

  /** Where the mistakes are that the service found: the lines of each resource, by its key. `messages` by key. */
  async locate(messages: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, LocatedMistake[]>> {
    const found = new Map<string, LocatedMistake[]>()
    for await (const candidates of this.#candidates(null)) {
      for (const candidate of candidates) {
        const key = keyOf(candidate.value)
        const message = messages.get(key)
        if (message === undefined) continue
        const mistakes = v2.mistakesInItemMessage(candidate.source, message)
        if (mistakes !== null)
          found.set(key, byLine(located(candidate, mistakes.map(withPath(candidate.value)))))
      }
      if (found.size === messages.size) break
    }
    return found
  }

  [Symbol.dispose](): void {
    this.#sources[Symbol.dispose]()
  }

  /** Each document is parsed on demand: what lives for one item costs the collector nothing. */
  async *#candidates(
    mistakes: MistakeList | null,
  ): AsyncGenerator<IteratorObject<Candidate>, void, undefined> {
    if (this.#fleet !== null) yield candidatesOf(this.#fleet, this.#sources.all)
    for (const source of this.#sources.all)
      if (!source.isFleet)
        for await (const documents of documentsOf(source))
          yield documents.values().flatMap((document) => candidatesIn(document, mistakes))
  }

  /** Excludes suspects whose hash merely collides with that of another key. */
  async #repeated(suspects: readonly Suspect[]): Promise<LocatedMistake[]> {
    if (suspects.length === 0) return []
    const first = await this.#firstOf(new Set(suspects.map(({ key }) => key)))
    return suspects.flatMap(({ key, candidate, ordinal }) => {
      const earlier = first.get(key)
      if (earlier === undefined || earlier.ordinal === ordinal) return []
      const message = `occurs twice; first in ${earlier.source}`
      return located(candidate, [{ path: ['metadata', 'id'], message }])
    })
  }

  /** The first occurrence of each of these keys. */
  async #firstOf(
    keys: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, { readonly ordinal: number; readonly source: string }>> {
    const first = new Map<string, { ordinal: number; source: string }>()
    let ordinal = 0
    for await (const candidates of this.#candidates(new MistakeList()))
      for (const { value, source } of candidates) {
        ordinal++
        const key = keyOf(value)
        if (keys.has(key) && !first.has(key)) first.set(key, { ordinal, source })
      }
    return first
  }
}

async function fleetIn(
  sources: readonly Source[],
  environment: NodeJS.ProcessEnv,
): Promise<LoadedFleet | null> {
  if (sources.length === 0) return null
  const paths = sources.map(({ path }) => path)
  try {
    return await loadFleet({ paths, drivers: driverShapes, allowEmpty: true, environment })
  } catch (error) {
    if (!(error instanceof FleetFileError)) throw error
    const mistakes = error.mistakes.map(({ file, line, path, message }) => ({
      file: sources.find((source) => source.path === file)?.name ?? file,
      line,
      field: path,
      message,
    }))
    throw new ResourceFileError(mistakes.slice(0, MistakeList.most), mistakes.length)
  }
}

function* candidatesOf(fleet: LoadedFleet, sources: readonly Source[]): Generator<Candidate> {
  const renamed = sources.filter(({ name, path }) => name !== path)
  for (const { source, resource } of fleetResources(fleet)) {
    const shown = renamed.reduce((text, { name, path }) => text.replace(path, name), source)
    yield { document: null, path: [], value: resource, source: shown.slice(-mostSourceCharacters) }
  }
}

/** One resource, or the `items` of a list as `pulseward get -o yaml` prints it. */
function candidatesIn(document: SourceDocument, mistakes: MistakeList | null): Candidate[] {
  const { file, line, text, isJsonLine } = document
  let value: unknown
  try {
    value = isJsonLine ? JSON.parse(text) : parseYaml(text)
  } catch (error) {
    const [offset, message] =
      error instanceof UnreadableText ? [error.line, error.message] : [1, 'is not valid JSON']
    mistakes?.add([{ file, line: line + offset - 1, field: '', message }])
    return []
  }
  const source = `${file}:${line}`.slice(-mostSourceCharacters)
  const { items, kind } = (value ?? {}) as { items?: unknown; kind?: unknown }
  if (kind === undefined && Array.isArray(items))
    return items.map((item, index) => ({ document, path: ['items', index], value: item, source }))
  return [{ document, path: [], value, source }]
}

function located({ document, path, source }: Candidate, wrong: readonly Mistake[]): LocatedMistake[] {
  if (document === null)
    return wrong.map(({ path, message }) => ({ file: source, line: null, field: fieldOf(path), message }))
  return locate(
    document,
    wrong.map((one) => ({ ...one, path: [...path, ...one.path] })),
  )
}

function byLine(mistakes: readonly LocatedMistake[]): LocatedMistake[] {
  return mistakes.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
}

/** A mistake that the service names by a JSON pointer into the resource. */
function withPath(resource: unknown): (mistake: v2.ItemMistake) => Mistake {
  return ({ field, message }) => ({ path: pathIn(resource, field), message })
}

function loadedOf({ value, source }: Candidate): LoadedResource {
  return { key: keyOf(value), source, resource: value as v2.Resource }
}

/** Also works for a value that is not a resource. */
function keyOf(value: unknown): string {
  const { kind, metadata } = (value ?? {}) as { kind?: unknown; metadata?: { id?: unknown } | null }
  return `${kind}/${metadata?.id}`
}
