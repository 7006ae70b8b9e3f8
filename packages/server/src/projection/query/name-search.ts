// projection/query/name-search.ts: which names contain a text, over names in search form that lie packed one behind
// the other. Names of a pattern share their answer, or at least where to look; where a filter leaves few names to look
// at, only those are looked at. Both sides are whole UTF-8 characters, so a match of bytes is a match of characters.

import { forgetOldest } from '../../platform/forget-oldest.ts'
import { PackedCursor, type PackedStrings } from '../../platform/packed-strings.ts'
import { BlockFilter, rowsPerBlock } from './block-filter.ts'
import { NamePatterns } from './name-patterns.ts'
import { Needle } from './needle.ts'

/** What was found holds until a name changes; a byte for each monitor bounds how much is kept. */
const knownTexts = 4

export interface RowsFound {
  /** 1 for each row. Not to be written to. */
  readonly marks: Uint8Array
  readonly count: number
}

export class NameSearch {
  #names: PackedStrings
  #cursor: PackedCursor
  readonly #filter: BlockFilter
  #patterns: NamePatterns | null
  /** The last texts, the latest last: people page through what they found, and look again. */
  readonly #known = new Map<string, RowsFound>()

  constructor(names: PackedStrings) {
    this.#names = names
    this.#cursor = new PackedCursor(names)
    this.#filter = new BlockFilter(names)
    this.#patterns = NamePatterns.find(names)
  }

  /** These rows have other names, or were added. */
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

  /** For a text without digits: what is true of one name of a pattern is true of all. */
  #markPatterns(wanted: Needle, marks: Uint8Array, { of, examples }: NamePatterns): void {
    const matches = Uint8Array.from(examples, (place) => {
      const { bytes, start, end } = this.#cursor.moveToPlace(place)
      return wanted.indexIn(bytes, start, end) === -1 ? 0 : 1
    })
    for (let row = 0; row < marks.length; row++) marks[row] = matches[of[row]!]!
  }

  #markEach(wanted: Needle, marks: Uint8Array, firstRow: number, endRow: number): void {
    // Neighbours are often named alike: the text stands as far from the end as in the name before.
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

  /** For a text with digits: it can only stand where it touches a number of the name. */
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
