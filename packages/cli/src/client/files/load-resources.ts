// client/files/load-resources.ts: the resources of files, each with its place. Files are read as a stream, so a fleet of
// a million needs no more memory than its ids; a caller that wants the resources twice reads them twice.
import type { v2 } from '@pulseward/contract'
import { bytesOfFile, documentsOf, type SourceDocument } from './documents.ts'
import { locate } from './locate.ts'
import { type LocatedMistake, type Mistake, type Path, ResourceFileError } from './mistake.ts'
import { parseYaml, UnreadableText } from './parse-value.ts'
import { standardInput } from './source-files.ts'
import { mistakesOf } from './validate-resource.ts'

export interface LoadedResource {
  /** Kind and id; unlike any other of the collection. */
  readonly key: string
  /** File and line. */
  readonly source: string
  readonly resource: v2.Resource
}

/** Enough to see what is wrong; after them the rest is read no more. */
const mostMistakes = 100

/** Throws when all mistakes are found, at the end: nothing of a wrong collection may be sent before. */
export async function* loadResources(
  files: readonly string[],
  stdin: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<LoadedResource, void, undefined> {
  const mistakes: LocatedMistake[] = []
  const places = new Map<string, string>()
  for (const file of files) {
    for await (const document of documentsOf(file, file === standardInput ? stdin() : bytesOfFile(file))) {
      for (const { path, value } of resourcesIn(document, mistakes)) {
        const wrong = mistakesOf(value)
        const loaded = wrong.length === 0 ? loadedOf(document, value as v2.Resource) : null
        const earlier = loaded === null ? undefined : places.get(loaded.key)
        if (earlier !== undefined)
          wrong.push({ path: ['metadata', 'id'], message: `stands here twice; first in ${earlier}` })
        if (wrong.length > 0)
          mistakes.push(
            ...locate(
              document,
              wrong.map((one) => under(path, one)),
            ),
          )
        else {
          places.set(loaded!.key, loaded!.source)
          yield loaded!
        }
      }
      if (mistakes.length >= mostMistakes) throw new ResourceFileError(mistakes)
    }
  }
  if (mistakes.length > 0) throw new ResourceFileError(mistakes)
}

/** One resource, or the `items` of a list as `pulseward get -o yaml` prints it. */
function resourcesIn(document: SourceDocument, mistakes: LocatedMistake[]): { path: Path; value: unknown }[] {
  const { file, line, text, isJsonLine } = document
  let value: unknown
  try {
    value = isJsonLine ? JSON.parse(text) : parseYaml(text)
  } catch (error) {
    const [offset, message] =
      error instanceof UnreadableText ? [error.line, error.message] : [1, 'is not valid JSON']
    mistakes.push({ file, line: line + offset - 1, field: '', message })
    return []
  }
  const { items, kind } = (value ?? {}) as { items?: unknown; kind?: unknown }
  if (kind === undefined && Array.isArray(items))
    return items.map((item, index) => ({ path: ['items', index], value: item }))
  return [{ path: [], value }]
}

function under(path: Path, mistake: Mistake): Mistake {
  return { ...mistake, path: [...path, ...mistake.path] }
}

function loadedOf({ file, line }: SourceDocument, resource: v2.Resource): LoadedResource {
  return { key: `${resource.kind}/${resource.metadata.id}`, source: `${file}:${line}`.slice(-1024), resource }
}
