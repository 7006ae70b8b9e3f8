// config/fleet-file/explain-yaml.ts: finds out why the fast parser refused a text, with a parser that keeps
// positions. Duplicate keys are reported with their paths, and the value is returned anyway, so that the rest
// of it can be validated in the same run.
import { yamlSentence } from '@pulseward/contract/yaml-words'
import { isMap, isSeq, parseDocument } from 'yaml'
import { keyName, startOf, YamlPlaces } from '../../platform/yaml-places.ts'
import type { Path } from '../shape/shape.ts'
import { show } from '../shape/words.ts'
import type { SourceChunk, SourceMistake } from './source.ts'

export interface Explanation {
  readonly mistakes: readonly SourceMistake[]
  /** Undefined if the text cannot be parsed. */
  readonly value: unknown
}

export function explainYaml(chunk: SourceChunk, text: string, mostAliases: number): Explanation {
  const places = new YamlPlaces(text)
  const { document } = places
  const lineIn = (line: number) => chunk.firstLine + line - 1
  if (document.errors.length > 0) {
    const mistakes = places.mistakes.map(({ line, message }) => ({
      chunk,
      path: [],
      message: yamlSentence(message),
      line: lineIn(line),
    }))
    return { mistakes, value: undefined }
  }
  const mistakes = [...duplicateKeys(document.contents, [])].map(({ path, offset }) => ({
    chunk,
    path,
    message: standsTwice(path),
    line: lineIn(places.lineAt(offset)),
  }))
  try {
    return { mistakes, value: document.toJS({ maxAliasCount: mostAliases }) }
  } catch {
    // An alias without an anchor; the fast parser has a better message for it.
    return { mistakes, value: undefined }
  }
}

/** The duplicate keys of a valid JSON text that is known to have some. */
export function duplicateKeysInJson(text: string): { path: Path; message: string }[] {
  const { contents } = parseDocument(text, { uniqueKeys: false })
  const found = [...duplicateKeys(contents, [])].map(({ path }) => ({ path, message: standsTwice(path) }))
  return found.length > 0 ? found : [{ path: [], message: 'a key is given twice in one mapping; keep one.' }]
}

function standsTwice(path: Path): string {
  return `the key ${show(path.at(-1))} is given twice in one mapping; keep one.`
}

function* duplicateKeys(node: unknown, path: Path): Generator<{ path: Path; offset: number }> {
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) yield* duplicateKeys(item, [...path, index])
  }
  if (!isMap(node)) return
  const seen = new Set<string>()
  for (const { key, value } of node.items) {
    const name = keyName(key)
    // A key that is a mapping, a list or an alias has no name for the path.
    if (name === null) continue
    const at = [...path, name]
    if (seen.has(name)) yield { path: at, offset: startOf(key) }
    seen.add(name)
    yield* duplicateKeys(value, at)
  }
}
