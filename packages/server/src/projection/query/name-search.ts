// projection/query/name-search.ts: which names contain a text, over packed names in search form. Names of one
// pattern share the answer, or at least the place to search; if a filter leaves few candidates, only those
// are searched. Names and text are whole UTF-8 characters, so a match of bytes is a match of characters.

import { forgetOldest } from '../../platform/forget-oldest.ts'
import { PackedCursor, type PackedStrings } from '../../platform/packed-strings.ts'
import { BlockFilter, rowsPerBlock } from './block-filter.ts'
import { NamePatterns } from './name-patterns.ts'
import { Needle } from './needle.ts'

/** A result stays valid until a name changes; each takes one byte per monitor, so only a few are kept. */
const knownTexts = 4

export interface RowsFound {
  /** 1 for each row that matches. Read only. */
  readonly marks: Uint8Array
  readonly count: number
}

export class NameSearch {
  #names: PackedStrings
  #cursor: PackedCursor
  readonly #filter: BlockFilter
  #patterns: NamePatterns | null
  /** The last texts, most recent last: people page through results and repeat searches. */
  readonly #known = new Map<string, RowsFound>()

  constructor(names: PackedStrings) {
    this.#names = names
    this.#cursor = new PackedCursor(names)
    this.#filter = new BlockFilter(names)
    this.#patterns = NamePatterns.find(names)
  }

  /** These rows were added or renamed. */
  amend(names: PackedStrings, rows: Uint32Array): void {
    this.#names = names
    this.#cursor = new PackedCursor(names)
    this.#known.clear()
    this.#filter.amend(names, rows)
    if (this.#patterns?.amend(names, rows) === false) this.#patterns = null
  }

  /** The rows that contain the text, which is in search form and not empty. */
  rowsWith(text: string): RowsFound {
    const found = this.#known.get(text) ?? this.#find(new Needle(text))
    this.#known.delete(text)
    this.#known.set(text, found)
    if (this.#known.size > knownTexts) forgetOldest(this.#known)
    return found
  }

  #find(wanted: Needle): RowsFound {
    const marks = this.#marksOf(wanted)
    let count = 0
    for (let row = 0; row < marks.length; row++) count += marks[row]!
    return { marks, count }
  }

  #marksOf(wanted: Needle): Uint8Array {
    const rows = this.#names.starts.length
    const marks = new Uint8Array(rows)
    const patterns = this.#patterns
    if (patterns !== null && !wanted.hasDigits) {
      this.#markPatterns(wanted, marks, patterns)
      return marks
    }
    const blocks = this.#filter.blocksWith(wanted.bytes)
    if (blocks === null) this.#markBetween(wanted, marks, 0, rows)
    else
      for (const block of blocks)
        this.#markBetween(wanted, marks, block * rowsPerBlock, Math.min(rows, (block + 1) * rowsPerBlock))
    return marks
  }

  #markBetween(wanted: Needle, marks: Uint8Array, firstRow: number, endRow: number): void {
    if (this.#patterns === null) this.#markEach(wanted, marks, firstRow, endRow)
    else this.#markNumbered(wanted, marks, this.#patterns, firstRow, endRow)
  }

  /** For a text without digits: it is in all names of a pattern or in none. */
  #markPatterns(wanted: Needle, marks: Uint8Array, { of, examples }: NamePatterns): void {
    const matches = Uint8Array.from(examples, (place) => {
      const { bytes, start, end } = this.#cursor.moveToPlace(place)
      return wanted.indexIn(bytes, start, end) === -1 ? 0 : 1
    })
    for (let row = 0; row < marks.length; row++) marks[row] = matches[of[row]!]!
  }

  #markEach(wanted: Needle, marks: Uint8Array, firstRow: number, endRow: number): void {
    // Neighbouring names are often similar: the text is probably as far from the end as in the previous name.
    let fromEnd = 0
    for (let row = firstRow; row < endRow; row++) {
      const { bytes, start, end } = this.#cursor.moveTo(row)
      let place = end - fromEnd
      if (fromEnd === 0 || place < start || !wanted.standsAt(bytes, place))
        place = wanted.indexIn(bytes, start, end)
      if (place === -1) continue
      marks[row] = 1
      fromEnd = end - place
    }
  }

  /** For a text with digits: it must overlap a number of the name. */
  #markNumbered(
    wanted: Needle,
    marks: Uint8Array,
    { of, heads, tails }: NamePatterns,
    firstRow: number,
    endRow: number,
  ): void {
    const reach = wanted.length - 1
    for (let row = firstRow; row < endRow; row++) {
      const { bytes, start, end } = this.#cursor.moveTo(row)
      const before = Math.max(0, heads[of[row]!]! - reach)
      const behind = Math.max(0, tails[of[row]!]! - reach)
      if (wanted.indexIn(bytes, start + before, end - behind) !== -1) marks[row] = 1
    }
  }
}
