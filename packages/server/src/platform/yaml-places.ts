// platform/yaml-places.ts: finds line numbers in a YAML text by parsing it again with a parser that keeps
// positions. Slow: only for texts with a mistake. Lines count from 1 within the text.
import { isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

export class YamlPlaces {
  readonly document: ReturnType<typeof parseDocument>
  readonly #lines = new LineCounter()
  /** An unclosed bracket is noticed only at the end of the text, which may be past the last line. */
  readonly #lastOffset: number

  constructor(text: string) {
    this.#lastOffset = Math.max(0, text.trimEnd().length - 1)
    this.document = parseDocument(text, {
      lineCounter: this.#lines,
      merge: true,
      prettyErrors: false,
      uniqueKeys: false,
    })
  }

  /**
   * Why the text cannot be parsed, in the words of the library and by line. Errors that follow from another one, of the same kind or on the
   * same line, are left out.
   */
  get mistakes(): { readonly line: number; readonly message: string }[] {
    const { errors } = this.document
    const codes = new Set<string>()
    const lines = new Set<number>()
    return errors.flatMap(({ code, message, pos }) => {
      const line = this.lineAt(Math.min(pos[0], this.#lastOffset))
      const isOwn = !codes.has(code) && !lines.has(line)
      codes.add(code)
      lines.add(line)
      return isOwn ? [{ line, message }] : []
    })
  }

  lineAt(offset: number): number {
    return this.#lines.linePos(offset).line
  }

  /** The line of a path, or of its nearest ancestor in the text (an alias or merge may hide it). */
  lineOf(path: readonly (string | number)[], atKey: boolean): number {
    return this.lineAt(offsetOf(this.document.contents, path, atKey))
  }
}

function offsetOf(root: Node | null, path: readonly (string | number)[], atKey: boolean): number {
  let node: unknown = root
  let offset = startOf(root)
  for (const [depth, step] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => keyName(key) === String(step))
      if (pair === undefined) return offset
      const { key, value } = pair
      const isLast = depth === path.length - 1
      // For a scalar, the line of its value; a mapping or list is best shown at its key.
      const isAtValue = isNode(value) && !(isLast && atKey) && !isMap(value) && !isSeq(value)
      offset = startOf(isAtValue ? value : key)
      node = value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      if (!isNode(node)) return offset
      offset = startOf(node)
    } else return offset
  }
  return offset
}

/** Null for a key that is a mapping, a list or an alias. */
export function keyName(key: unknown): string | null {
  return isScalar(key) ? String(key.value) : null
}

export function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0
}
