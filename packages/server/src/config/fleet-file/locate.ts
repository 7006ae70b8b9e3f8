// config/fleet-file/locate.ts: finds the line of a mistake by reading its chunk once more, with a parser
// that keeps positions. Slow, and run only when there is something to complain about.
import { readFile } from 'node:fs/promises'
import { type Document, isMap, isNode, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml'
import {
  countNewlines,
  formatPath,
  type LocatedMistake,
  type SourceChunk,
  type SourceMistake,
} from './source.ts'
import type { Path } from './validate.ts'

/** Gives every mistake its line; sorted by file in the order read, then by line. */
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
  const counter = new LineCounter()
  let document: Document | undefined
  return (path, atKey) => {
    document ??= parseDocument(chunkText(chunk, text), {
      lineCounter: counter,
      merge: true,
      uniqueKeys: false,
    })
    return chunk.firstLine + counter.linePos(offsetOf(document.contents, path, atKey)).line - 1
  }
}

/** The text of a chunk; what was cut out becomes empty lines, so that everything behind it keeps its line. */
export function chunkText(chunk: SourceChunk, text: string): string {
  if (chunk.cut === undefined) return text.slice(chunk.from, chunk.to)
  const emptyLines = '\n'.repeat(countNewlines(text, chunk.cut.from, chunk.cut.to))
  return text.slice(chunk.from, chunk.cut.from) + emptyLines + text.slice(chunk.cut.to, chunk.to)
}

/** The place of a path, or of its nearest ancestor that stands in the text (an alias or merge may hide it). */
function offsetOf(root: unknown, path: Path, atKey: boolean): number {
  let node = root
  let offset = startOf(root as Node)
  for (const [depth, step] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => String((item.key as { value?: unknown } | null)?.value) === String(step),
      ) as Pair | undefined
      if (pair === undefined) return offset
      const last = depth === path.length - 1
      // A scalar's line is its value's; a mapping or list is best shown at its key.
      offset =
        isNode(pair.value) && !(last && atKey) && !isMap(pair.value) && !isSeq(pair.value)
          ? startOf(pair.value)
          : startOf(pair.key as Node)
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      if (!isNode(node)) return offset
      offset = startOf(node)
    } else return offset
  }
  return offset
}

function startOf(node: Node | null | undefined): number {
  return node?.range?.[0] ?? 0
}
