// config/fleet-file/locate.ts: finds the lines of mistakes, which the fast parsers do not keep. Runs only if
// there are mistakes.
import { readFile } from 'node:fs/promises'
import { YamlPlaces } from '../../platform/yaml-places.ts'
import type { Path } from '../shape/shape.ts'
import {
  countNewlines,
  formatPath,
  type LocatedMistake,
  type SourceChunk,
  type SourceMistake,
} from './source.ts'

/** Adds the line to every mistake. Sorted by file in the order read, then by line. */
export async function locateMistakes(
  mistakes: readonly SourceMistake[],
  files: readonly string[],
): Promise<LocatedMistake[]> {
  const located: LocatedMistake[] = []
  const byFile = Map.groupBy(mistakes, (mistake) => mistake.chunk.file)
  for (const file of new Set(files)) {
    const ofFile = byFile.get(file) ?? []
    const needsText = ofFile.some((mistake) => mistake.chunk.kind !== 'lines' && mistake.line === undefined)
    const text = needsText ? await readFile(file, 'utf8').then(stripBom, () => '') : ''
    const lines: LocatedMistake[] = []
    for (const [chunk, ofChunk] of Map.groupBy(ofFile, (mistake) => mistake.chunk)) {
      const find = lineFinder(chunk, text)
      for (const { path, message, atKey, line } of ofChunk) {
        lines.push({ file, line: line ?? find(path, atKey ?? false), path: formatPath(chunk, path), message })
      }
    }
    lines.sort((left, right) => left.line - right.line)
    for (const mistake of lines) located.push(mistake)
  }
  return located
}

function stripBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function lineFinder(chunk: SourceChunk, text: string): (path: Path, atKey: boolean) => number {
  if (chunk.kind === 'lines') return (path) => chunk.firstLine + Number(path[0] ?? 0)
  let places: YamlPlaces | undefined
  return (path, atKey) => {
    places ??= new YamlPlaces(chunkText(chunk, text))
    return chunk.firstLine + places.lineOf(path, atKey) - 1
  }
}

/** The text of a chunk. Parts that were cut out become empty lines, so that the rest keeps its line numbers. */
export function chunkText(chunk: SourceChunk, text: string): string {
  if (chunk.cut === undefined) return text.slice(chunk.from, chunk.to)
  const emptyLines = '\n'.repeat(countNewlines(text, chunk.cut.from, chunk.cut.to))
  return text.slice(chunk.from, chunk.cut.from) + emptyLines + text.slice(chunk.cut.to, chunk.to)
}
