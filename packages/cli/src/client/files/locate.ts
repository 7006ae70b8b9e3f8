// client/files/locate.ts: finds the line of a mistake by reading its document once more, with a parser that keeps
// positions. Slow, and run only when there is something to complain about.
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { SourceDocument } from './documents.ts'
import { fieldOf, type LocatedMistake, type Mistake, type Path } from './mistake.ts'

export function locate(
  { file, line, text, isJsonLine }: SourceDocument,
  mistakes: readonly Mistake[],
): LocatedMistake[] {
  const counter = new LineCounter()
  const contents = isJsonLine
    ? null
    : parseDocument(text, { lineCounter: counter, uniqueKeys: false }).contents
  return mistakes.map(({ path, message, isKey }) => ({
    file,
    line:
      contents === null ? line : line + counter.linePos(offsetOf(contents, path, isKey ?? false)).line - 1,
    field: fieldOf(path),
    message,
  }))
}

/** Of the deepest part of the path that is there. */
function offsetOf(root: Node, path: Path, isKey: boolean): number {
  let node: unknown = root
  let offset = root.range?.[0] ?? 0
  for (const [index, step] of path.entries()) {
    const isLast = index === path.length - 1
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      if (pair === undefined) return offset
      const place = (isKey && isLast ? pair.key : (pair.value ?? pair.key)) as Node
      offset = place.range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      offset = (node as Node | undefined)?.range?.[0] ?? offset
    } else return offset
  }
  return offset
}
